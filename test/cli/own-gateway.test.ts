/** The gateway that a command starts for itself. */
import { expect, test } from 'vitest';
import { painter } from '../../src/cli/colors.js';
import { withOwnGateway } from '../../src/cli/own-gateway.js';
import { readConfiguration } from '../../src/gateway/config.js';

test('answers only its command, although other users can connect to its port', async () => {
  const statusOf = async (url: string) => (await fetch(url)).status;
  const found = await withOwnGateway(
    {
      arguments: { values: new Map(), switches: new Set(), positionals: [], options: [] },
      configuration: readConfiguration({ argv: [], environment: {}, host: { cores: 1 } }),
      environment: {},
      ignoredMembers: [],
      terminal: { print() {}, report() {}, paint: painter(false, {}), isTerminal: false },
    },
    async (baseUrl) => {
      const { origin } = new URL(baseUrl);
      const paths = ['/entities', '/livez', '//entities', `/${'a'.repeat(43)}/entities`];
      const others = paths.map((path) => statusOf(origin + path));
      return [await statusOf(`${baseUrl}/entities`), ...(await Promise.all(others))];
    },
    { withoutDatabase: true },
  );
  expect(found).toEqual([200, 404, 404, 404, 404]);
});
