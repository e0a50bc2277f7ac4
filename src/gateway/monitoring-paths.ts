/** The endpoints of monitoring. No rate limit applies to them, and `--admin-port` serves them instead of the main port. */
export const MONITORING_PATHS: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);
