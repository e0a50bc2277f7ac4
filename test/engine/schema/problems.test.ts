import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { EngineError } from '../../../src/engine/errors.js';
import { checkSchema, loadSchema } from '../../../src/engine/schema/load.js';

interface BadFile {
  readonly comment: string;
  readonly file: string;
  readonly place?: string;
  readonly detail: string;
  readonly hint?: string;
}

/** A file of one sound entity, with more members beside its properties. */
function cities(members: string, section = ''): string {
  return `
domain:
  entities:
  - name: Cities
    primaryKey: [id]
    properties:
    - {name: id, type: integer}
    - {name: name}
    - {name: stateId, type: integer}
${members}
${section}`;
}

const infrastructure = (text: string) => cities('', `infrastructure:\n${text}`);

const badFiles: readonly BadFile[] = [
  {
    comment: 'an empty file',
    file: '',
    detail: 'A schema is an object with a domain; found nothing.',
  },
  { comment: 'a list', file: '[]', detail: 'A schema is an object with a domain; found a list.' },
  {
    comment: 'no domain',
    file: 'infrastructure: {}',
    place: 'domain',
    detail: "The section 'domain' is missing.",
  },
  {
    comment: 'a domain that is text',
    file: 'domain: x',
    place: 'domain',
    detail: 'Expected an object, found text.',
  },
  {
    comment: 'a version that is none',
    file: 'domain: {version: "2"}',
    place: 'domain.version',
    detail: "'2' is no version.",
    hint: "A version looks like '1.0.0'.",
  },
  {
    comment: 'a version that is a number',
    file: 'domain: {version: 1.5}',
    place: 'domain.version',
    detail: 'Expected text, found 1.5.',
  },
  {
    comment: 'entities that are no list',
    file: 'domain: {entities: {name: A}}',
    place: 'domain.entities',
    detail: 'Expected a list, found an object.',
  },
  {
    comment: 'an entity that is text',
    file: 'domain: {entities: [Cities]}',
    place: 'domain.entities[0]',
    detail: 'Expected an object with a name, found text.',
  },
  {
    comment: 'an entity without a name',
    file: 'domain: {entities: [{primaryKey: [id]}]}',
    place: 'domain.entities[0].name',
    detail: 'A name is missing.',
  },
  {
    comment: 'a name that is a number',
    file: 'domain: {entities: [{name: 7, properties: [{name: id}]}]}',
    place: 'domain.entities[0].name',
    detail: 'Expected text, found 7.',
  },
  {
    comment: 'a name that no query can spell',
    file: 'domain: {entities: [{name: My Cities, properties: [{name: id}]}]}',
    place: 'domain.entities[0].name',
    detail: "'My Cities' is no name.",
    hint: 'A name has letters, digits, _ and $, and does not begin with a digit.',
  },
  {
    comment: 'an entity without properties',
    file: 'domain: {entities: [{name: Cities}]}',
    place: 'domain.entities[0].properties',
    detail: "The entity 'Cities' has no properties.",
  },
  {
    comment: 'two entities of one name',
    file: 'domain: {entities: [{name: A, properties: [{name: id}]}, {name: A, properties: [{name: id}]}]}',
    place: 'domain.entities[1].name',
    detail: "There are two entities 'A'.",
  },
  {
    comment: 'an unknown member of an entity',
    file: cities('    primarykey: [id]'),
    place: 'domain.entities[0].primarykey',
    detail: "There is no member 'primarykey' here.",
    hint: "Did you mean 'primaryKey'?",
  },
  {
    comment: 'a key that names no property',
    file: cities('    uniqueKey: [name, nmae]'),
    place: 'domain.entities[0].uniqueKey[1]',
    detail: "There is no property 'nmae' in 'Cities'.",
    hint: "Did you mean 'name'?",
  },
  {
    comment: 'a key that is text',
    file: cities('    uniqueKey: name'),
    place: 'domain.entities[0].uniqueKey',
    detail: 'Expected a list, found text.',
  },
  {
    comment: 'a key with an empty element',
    file: cities('    uniqueKey: [name, ~]'),
    place: 'domain.entities[0].uniqueKey[1]',
    detail: 'Expected text, found nothing.',
  },
  {
    comment: 'an index on no property',
    file: cities('    indexes: [{name: byState, fields: [state]}]'),
    place: 'domain.entities[0].indexes[0].fields[0]',
    detail: "There is no property 'state' in 'Cities'.",
  },
  {
    comment: 'an abstract that is text',
    file: cities('    abstract: "yes"'),
    place: 'domain.entities[0].abstract',
    detail: 'Expected true or false, found "yes".',
  },
  {
    comment: 'a constraint without a condition',
    file: cities('    constraints: [{message: no}]'),
    place: 'domain.entities[0].constraints[0].condition',
    detail: "The member 'condition' is missing.",
  },
  {
    comment: 'an unknown base',
    file: cities(
      '    extends: Bases',
      '  - {name: Base, abstract: true, properties: [{name: created}]}',
    ),
    place: 'domain.entities[0].extends',
    detail: "There is no 'Bases' to extend.",
    hint: "Did you mean 'Base'?",
  },
  {
    comment: 'an entity that extends itself',
    file: cities('    extends: Cities'),
    place: 'domain.entities[0].extends',
    detail: "'Cities' extends itself: Cities → Cities.",
  },
  {
    comment: 'a cycle of bases',
    file: 'domain: {entities: [{name: A, extends: B, properties: [{name: a}]}, {name: B, extends: C, properties: [{name: b}]}, {name: C, extends: A, properties: [{name: c}]}]}',
    place: 'domain.entities[2].extends',
    detail: "'A' extends itself: A → B → C → A.",
  },
  {
    comment: 'an unknown type',
    file: 'domain: {entities: [{name: A, properties: [{name: id}, {name: n, type: interger}]}]}',
    place: 'domain.entities[0].properties[1].type',
    detail: "'interger' is not known here.",
    hint: "Did you mean 'integer'?",
  },
  {
    comment: 'a type like no other',
    file: 'domain: {entities: [{name: A, properties: [{name: n, type: uuid}]}]}',
    place: 'domain.entities[0].properties[0].type',
    detail: "'uuid' is not known here.",
    hint: 'Known are integer, decimal, number, string, boolean, dateTime, date, time, any.',
  },
  {
    comment: 'a length of zero',
    file: 'domain: {entities: [{name: A, properties: [{name: n, length: 0}]}]}',
    place: 'domain.entities[0].properties[0].length',
    detail: 'Expected a whole number greater than zero, found 0.',
  },
  {
    comment: 'a required that is a number',
    file: 'domain: {entities: [{name: A, properties: [{name: n, required: 1}]}]}',
    place: 'domain.entities[0].properties[0].required',
    detail: 'Expected true or false, found 1.',
  },
  {
    comment: 'an unknown member of a property',
    file: 'domain: {entities: [{name: A, properties: [{name: n, lenght: 5}]}]}',
    place: 'domain.entities[0].properties[0].lenght',
    detail: "There is no member 'lenght' here.",
    hint: "Did you mean 'length'?",
  },
  {
    comment: 'two properties of one name',
    file: 'domain: {entities: [{name: A, properties: [{name: n}, {name: n}]}]}',
    place: 'domain.entities[0].properties[1].name',
    detail: "There are two properties 'n'.",
  },
  {
    comment: 'a property with a dot',
    file: 'domain: {entities: [{name: A, properties: [{name: a.b}]}]}',
    place: 'domain.entities[0].properties[0].name',
    detail: "'a.b' is no name of a property.",
  },
  {
    comment: 'a property named as sentences name keys',
    file: 'domain: {entities: [{name: A, properties: [{name: __id}]}]}',
    place: 'domain.entities[0].properties[0].name',
    detail: "The name '__id' is reserved for keys in sentences.",
  },
  {
    comment: 'a property named as sentences name the parent',
    file: 'domain: {entities: [{name: A, properties: [{name: ServiceParentId}]}]}',
    place: 'domain.entities[0].properties[0].name',
    detail: "The name 'ServiceParentId' is reserved for keys in sentences.",
  },
  {
    comment: 'a text that is generated',
    file: 'domain: {entities: [{name: A, properties: [{name: n, autoIncrement: true}]}]}',
    place: 'domain.entities[0].properties[0].autoIncrement',
    detail: "'n' is of type string; only an integer can be generated.",
  },
  {
    comment: 'a number as a default of a boolean',
    file: 'domain: {entities: [{name: A, properties: [{name: n, type: boolean, default: 1}]}]}',
    place: 'domain.entities[0].properties[0].default',
    detail: '1 is no default of type boolean.',
  },
  {
    comment: 'a default that is a list',
    file: 'domain: {entities: [{name: A, properties: [{name: n, default: [1]}]}]}',
    place: 'domain.entities[0].properties[0].default',
    detail: 'Expected a text, number or boolean, found a list.',
  },
  {
    comment: 'an unknown enum',
    file: 'domain: {enums: [{name: Colour, values: [{name: red}]}], entities: [{name: A, properties: [{name: n, enum: Color}]}]}',
    place: 'domain.entities[0].properties[0].enum',
    detail: "There is no enum 'Color'.",
    hint: "Did you mean 'Colour'?",
  },
  {
    comment: 'an enum value without a name',
    file: 'domain: {enums: [{name: Colour, values: [{value: 1}]}]}',
    place: 'domain.enums[0].values[0].name',
    detail: 'A name is missing.',
  },
  {
    comment: 'an unknown member of an enum',
    file: 'domain: {enums: [{name: Colour, value: []}]}',
    place: 'domain.enums[0].value',
    detail: "There is no member 'value' here.",
    hint: "Did you mean 'values'?",
  },
  {
    comment: 'a relation to no entity',
    file: cities('    relations: [{name: state, from: stateId, entity: States, to: id}]'),
    place: 'domain.entities[0].relations[0].entity',
    detail: "There is no entity 'States'.",
  },
  {
    comment: 'a relation from no property',
    file: cities('    relations: [{name: twin, from: stateid2, entity: Cities, to: id}]'),
    place: 'domain.entities[0].relations[0].from',
    detail: "There is no property 'stateid2' in 'Cities'.",
    hint: "Did you mean 'stateId'?",
  },
  {
    comment: 'a relation to no property',
    file: cities('    relations: [{name: twin, from: stateId, entity: Cities, to: di}]'),
    place: 'domain.entities[0].relations[0].to',
    detail: "There is no property 'di' in 'Cities'.",
    hint: "Did you mean 'id'?",
  },
  {
    comment: 'a relation without its ends',
    file: cities('    relations: [{name: twin, from: stateId, entity: Cities}]'),
    place: 'domain.entities[0].relations[0].to',
    detail: "The member 'to' is missing.",
  },
  {
    comment: 'ends of different types',
    file: cities('    relations: [{name: twin, from: name, entity: Cities, to: id}]'),
    place: 'domain.entities[0].relations[0]',
    detail:
      "'Cities.name' is of type string, 'Cities.id' of type integer; the two ends of a relation must be of one type.",
  },
  {
    comment: 'an unknown type of relation',
    file: cities(
      '    relations: [{name: twin, type: manyToMany, from: stateId, entity: Cities, to: id}]',
    ),
    place: 'domain.entities[0].relations[0].type',
    detail: "'manyToMany' is not known here.",
  },
  {
    comment: 'an unknown member of a relation',
    file: cities(
      '    relations: [{name: twin, form: stateId, from: stateId, entity: Cities, to: id}]',
    ),
    place: 'domain.entities[0].relations[0].form',
    detail: "There is no member 'form' here.",
  },
  {
    comment: 'a relation named as a property',
    file: cities('    relations: [{name: name, from: stateId, entity: Cities, to: id}]'),
    place: 'domain.entities[0].relations[0].name',
    detail: "'Cities' has a property 'name' already.",
  },
  {
    comment: 'an inverse named as a property',
    file: cities(
      '    relations: [{name: twin, from: stateId, entity: Cities, to: id, target: name}]',
    ),
    place: 'domain.entities[0].relations[0].target',
    detail: "'Cities' has a property 'name' already.",
  },
  {
    comment: 'two inverses of one name',
    file: cities(
      '    relations: [{name: twin, from: stateId, entity: Cities, to: id, target: twins}, {name: other, from: id, entity: Cities, to: stateId, target: twins}]',
    ),
    place: 'domain.entities[0].relations[1].target',
    detail: "'Cities' has another relation 'twins' already.",
  },
  {
    comment: 'a mapping of no entity',
    file: infrastructure('  mappings: [{name: default, entities: [{name: Citys}]}]'),
    place: 'infrastructure.mappings[0].entities[0].name',
    detail: "There is no entity 'Citys' in the domain.",
    hint: "Did you mean 'Cities'?",
  },
  {
    comment: 'a mapping of no property',
    file: infrastructure(
      '  mappings: [{name: default, entities: [{name: Cities, properties: [{name: nam, mapping: NAME}]}]}]',
    ),
    place: 'infrastructure.mappings[0].entities[0].properties[0].name',
    detail: "There is no property 'nam' in 'Cities'.",
    hint: "Did you mean 'name'?",
  },
  {
    comment: 'an unknown member of a mapping entity',
    file: infrastructure(
      '  mappings: [{name: default, entities: [{name: Cities, table: CITIES}]}]',
    ),
    place: 'infrastructure.mappings[0].entities[0].table',
    detail: "There is no member 'table' here.",
  },
  {
    comment: 'an unknown base of a mapping',
    file: infrastructure('  mappings: [{name: default}, {name: other, extends: defaults}]'),
    place: 'infrastructure.mappings[1].extends',
    detail: "There is no 'defaults' to extend.",
    hint: "Did you mean 'default'?",
  },
  {
    comment: 'a source without a dialect',
    file: infrastructure('  sources: [{name: default}]'),
    place: 'infrastructure.sources[0].dialect',
    detail: "The source 'default' has no dialect.",
  },
  {
    comment: 'a dialect that is not served',
    file: infrastructure('  sources: [{name: default, dialect: MongoDB}]'),
    place: 'infrastructure.sources[0].dialect',
    detail: "'MongoDB' is not known here.",
  },
  {
    comment: 'an unknown mapping',
    file: infrastructure('  sources: [{name: default, dialect: MySQL, mapping: mysql}]'),
    place: 'infrastructure.sources[0].mapping',
    detail: "There is no mapping 'mysql'.",
  },
  {
    comment: 'a connection that is a number',
    file: infrastructure('  sources: [{name: default, dialect: MySQL, connection: 5}]'),
    place: 'infrastructure.sources[0].connection',
    detail: 'Expected an object, its JSON text or a URL, found a number.',
  },
  {
    comment: 'a connection that is broken JSON',
    file: infrastructure('  sources: [{name: default, dialect: MySQL, connection: "{host"}]'),
    place: 'infrastructure.sources[0].connection',
    detail: 'The connection is neither an object, nor the JSON text of one, nor a URL.',
    hint: 'A URL looks like postgresql://user:password@host:5432/database.',
  },
  {
    comment: 'a port that is none',
    file: infrastructure('  sources: [{name: default, dialect: MySQL, connection: {port: none}}]'),
    place: 'infrastructure.sources[0].connection.port',
    detail: 'Expected a whole number greater than zero, found "none".',
  },
  {
    comment: 'a stage without sources',
    file: infrastructure('  stages: [{name: default}]'),
    place: 'infrastructure.stages[0].sources',
    detail: "The stage 'default' has no sources.",
  },
  {
    comment: 'a stage of an unknown source',
    file: infrastructure('  stages: [{name: default, sources: [{name: defualt}]}]'),
    place: 'infrastructure.stages[0].sources[0].name',
    detail: "There is no source 'defualt'.",
    hint: "Did you mean 'default'?",
  },
  {
    comment: 'two stages of one name',
    file: infrastructure(
      '  stages: [{name: a, sources: [{name: default}]}, {name: a, sources: [{name: default}]}]',
    ),
    place: 'infrastructure.stages[1].name',
    detail: "There are two stages 'a'.",
  },
  {
    comment: 'a view of no entity',
    file: infrastructure('  views: [{name: default, entities: [{name: City, exclude: true}]}]'),
    place: 'infrastructure.views[0].entities[0].name',
    detail: "There is no entity 'City'.",
  },
  {
    comment: 'a view of no property',
    file: infrastructure(
      '  views: [{name: default, entities: [{name: Cities, properties: [{name: nmae, exclude: true}]}]}]',
    ),
    place: 'infrastructure.views[0].entities[0].properties[0].name',
    detail: "There is no property 'nmae' in 'Cities'.",
    hint: "Did you mean 'name'?",
  },
  {
    comment: 'a view that misspells exclude',
    file: infrastructure('  views: [{name: default, entities: [{name: Cities, excluded: true}]}]'),
    place: 'infrastructure.views[0].entities[0].excluded',
    detail: "There is no member 'excluded' here.",
    hint: "Did you mean 'exclude'?",
  },
  {
    comment: 'a listener on nothing',
    file: cities('', 'application: {listeners: [{name: log, before: "1"}]}'),
    place: 'application.listeners[0].on',
    detail: 'The listener does not say what it listens to.',
  },
  {
    comment: 'a listener on an unknown action',
    file: cities('', 'application: {listeners: [{name: log, on: [select, drop]}]}'),
    place: 'application.listeners[0].on[1]',
    detail: "'drop' is not known here.",
  },
  {
    comment: 'a condition over an unknown name',
    file: infrastructure(
      '  stages: [{name: a, sources: [{name: default, condition: "entty == 1"}]}]',
    ),
    place: 'infrastructure.stages[0].sources[0].condition',
    detail: "A condition knows no 'entty'.",
    hint: "Did you mean 'entity'?",
  },
  {
    comment: 'a condition with an unknown function',
    file: infrastructure(
      '  stages: [{name: a, sources: [{name: default, condition: "sqrt(entity)"}]}]',
    ),
    place: 'infrastructure.stages[0].sources[0].condition',
    detail: "A condition knows no function 'sqrt'.",
  },
  {
    comment: 'a condition that calculates',
    file: infrastructure(
      '  stages: [{name: a, sources: [{name: default, condition: "entity + 1"}]}]',
    ),
    place: 'infrastructure.stages[0].sources[0].condition',
    detail: "The operator '+' has no meaning in a condition.",
  },
  {
    comment: 'a condition with too few arguments',
    file: infrastructure(
      '  stages: [{name: a, sources: [{name: default, condition: "entity.in()"}]}]',
    ),
    place: 'infrastructure.stages[0].sources[0].condition',
    detail: "'in' takes two arguments.",
  },
];

describe('a schema file that is wrong', () => {
  for (const { comment, file, place, detail, hint } of badFiles) {
    it(`with ${comment} has one problem, and its place`, () => {
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
      message: "'interger' is not known here.",
      place: 'domain.entities[0].properties[0].type',
      hint: "Did you mean 'integer'?",
    });
  });

  it('is refused with all its problems at once, a line each', () => {
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
        "domain.version: 'one' is no version. A version looks like '1.0.0'.",
        "domain.entities[0].properties[0].type: 'interger' is not known here. Did you mean 'integer'?",
        "domain.entities[1].primaryKey[0]: There is no property 'id' in 'B'.",
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
