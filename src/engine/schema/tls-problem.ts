/** Finds demands of TLS in the address of a database that its driver does not know. */

interface UrlKind {
  readonly name: string;
  /** The parameters for TLS that it has. */
  readonly known: RegExp;
  readonly hint: string;
}

const mysql: UrlKind = {
  name: 'MySQL or MariaDB',
  known: /^ssl$/,
  hint: "Write 'ssl=true', or beside the URL a member 'ssl' with certificates.",
};

/** The parameters of libpq, and `ssl` of pg. */
const postgresql: UrlKind = {
  name: 'PostgreSQL',
  known:
    /^ssl(mode|negotiation|compression|cert|key|keylogfile|password|certmode|rootcert|crl|crldir|sni|_(min|max)_protocol_version)?$/,
  hint: "Write 'sslmode=require', or 'sslmode=verify-full' to check the certificate, too.",
};

const demand = /^((?:use_?ssl|ssl|tls)[\w-]*)=(?!(?:false|disabled?|0|no)$)/i;

/** The first such parameter, such as `ssl-mode=REQUIRED`: without it, the connection would not be encrypted. */
export function tlsProblem(
  url: string,
): { readonly detail: string; readonly hint: string } | undefined {
  const { name, known, hint } = /^(mysql|mariadb):/i.test(url) ? mysql : postgresql;
  for (const parameter of (url.split('?')[1] ?? '').split('&')) {
    const found = demand.exec(parameter)?.[1];
    if (found === undefined || known.test(found)) continue;
    return { detail: `A URL of ${name} has no parameter '${found}'.`, hint };
  }
  return undefined;
}
