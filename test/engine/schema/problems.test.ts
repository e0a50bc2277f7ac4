import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { EngineError } from '../../../src/engine/errors.js';
import { checkSchema, loadSchema } from '../../../src/engine/load/load.js';
import { badDomains } from './bad-domains.js';
import { badRelations } from './bad-relations.js';
import { infrastructure } from './bad-file.js';
import { badInfrastructures } from './bad-infrastructures.js';

describe('an invalid schema file', () => {
  const files = [...badDomains, ...badRelations, ...badInfrastructures];
  for (const { comment, file, place, detail, hint } of files) {
    it(`with ${comment} has one problem with its place`, () => {
      const problems = checkSchema(parse(file));
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatchObject({ code: 'schema-invalid', detail, ...(hint && { hint }) });
      expect(problems[0]?.place).toBe(place);
    });
  }

  it('is refused with one error that has the place and hint of its only problem', () => {
    const document = parse(
      'domain: {entities: [{name: A, properties: [{name: n, type: interger}]}]}',
    );
    expect(thrownBy(() => loadSchema(document))).toMatchObject({
      code: 'schema-invalid',
      message: "'interger' is not a valid choice.",
      place: 'domain.entities[0].properties[0].type',
      hint: "Did you mean 'integer', 'integer[]' or 'interval'?",
    });
  });

  it('is refused with all its problems at once, one line each', () => {
    const document = parse(`
domain:
  version: one
  entities:
  - {name: A, properties: [{name: n, type: interger}]}
  - {name: B, primaryKey: [id], properties: [{name: n}]}`);
    expect(thrownBy(() => loadSchema(document))).toMatchObject({
      code: 'schema-invalid',
      place: 'domain.version',
      message: [
        'The schema has 3 errors.',
        "domain.version: 'one' is not a valid version. A version looks like '1.0.0'.",
        "domain.entities[0].properties[0].type: 'interger' is not a valid choice. Did you mean 'integer', 'integer[]' or 'interval'?",
        "domain.entities[1].primaryKey[0]: There is no property 'id' in 'B'. Remove it from the list, or add it to the properties.",
      ].join('\n'),
    });
  });

  it('never repeats the text of a connection', () => {
    const document = parse(
      infrastructure('  sources: [{name: a, dialect: MySQL, connection: "{password: secret}"}]'),
    );
    expect(JSON.stringify(checkSchema(document))).not.toContain('secret');
    const nested = parse(
      infrastructure('  sources: [{name: a, dialect: MySQL, connection: {password: [secret]}}]'),
    );
    expect(checkSchema(nested)).toHaveLength(1);
    expect(JSON.stringify(checkSchema(nested))).not.toContain('secret');
  });
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(EngineError);
    return error;
  }
  return undefined;
}
