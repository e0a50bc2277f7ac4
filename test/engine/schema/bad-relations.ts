/** Schema files with one error in their relations. */
import { type BadFile, cities } from './bad-file.js';

export const badRelations: readonly BadFile[] = [
  {
    comment: 'a relation to an unknown entity',
    file: cities('    relations: [{name: state, from: stateId, entity: States, to: id}]'),
    place: 'domain.entities[0].relations[0].entity',
    detail: "There is no entity 'States'.",
  },
  {
    comment: 'a relation from an unknown property',
    file: cities('    relations: [{name: twin, from: stateid2, entity: Cities, to: id}]'),
    place: 'domain.entities[0].relations[0].from',
    detail: "There is no property 'stateid2' in 'Cities'.",
    hint: "Did you mean 'stateId'?",
  },
  {
    comment: 'a relation to an unknown property',
    file: cities('    relations: [{name: twin, from: stateId, entity: Cities, to: di}]'),
    place: 'domain.entities[0].relations[0].to',
    detail: "There is no property 'di' in 'Cities'.",
    hint: "Did you mean 'id'?",
  },
  {
    comment: 'a relation without `to`',
    file: cities('    relations: [{name: twin, from: stateId, entity: Cities}]'),
    place: 'domain.entities[0].relations[0].to',
    detail: "The member 'to' is missing.",
  },
  {
    comment: 'a relation between different numbers of properties',
    file: cities('    relations: [{name: twin, from: [stateId, name], entity: Cities, to: [id]}]'),
    place: 'domain.entities[0].relations[0]',
    detail: "'from' names 2 properties, and 'to' 1.",
  },
  {
    comment: 'a relation from an empty list of properties',
    file: cities('    relations: [{name: twin, from: [], entity: Cities, to: id}]'),
    place: 'domain.entities[0].relations[0].from',
    detail: 'Expected a name, or a list of names.',
  },
  {
    comment: 'a relation with one pair of properties of different types',
    file: cities(
      '    relations: [{name: twin, from: [stateId, name], entity: Cities, to: [id, id]}]',
    ),
    place: 'domain.entities[0].relations[0]',
    detail:
      "'Cities.name' is of type string, 'Cities.id' of type integer; the two ends of a relation must have the same type.",
  },
  {
    comment: 'a join table that is not an entity',
    file: cities(
      '    relations: [{name: twins, from: id, entity: Cities, to: id, through: {entity: Citties, from: a, to: b}}]',
    ),
    place: 'domain.entities[0].relations[0].through.entity',
    detail: "There is no entity 'Citties'.",
  },
  {
    comment: 'a join table with an unknown property',
    file: cities(
      '    relations: [{name: twins, from: id, entity: Cities, to: id, through: {entity: Cities, from: stateId, to: nam}}]',
    ),
    place: 'domain.entities[0].relations[0].through.to',
    detail: "There is no property 'nam' in 'Cities'.",
    hint: "Did you mean 'name'?",
  },
  {
    comment: 'a join table with a property of another type',
    file: cities(
      '    relations: [{name: twins, from: id, entity: Cities, to: id, through: {entity: Cities, from: stateId, to: name}}]',
    ),
    place: 'domain.entities[0].relations[0].through',
    detail:
      "'Cities.name' is of type string, 'Cities.id' of type integer; the two ends of a relation must have the same type.",
  },
  {
    comment: 'a relation through a join table to one row',
    file: cities(
      '    relations: [{name: twins, type: oneToMany, from: id, entity: Cities, to: id, through: {entity: Cities, from: stateId, to: id}}]',
    ),
    place: 'domain.entities[0].relations[0].type',
    detail: "A relation through a join table is 'manyToOne': it leads to many.",
  },
  {
    comment: 'a relation between properties of different types',
    file: cities('    relations: [{name: twin, from: name, entity: Cities, to: id}]'),
    place: 'domain.entities[0].relations[0]',
    detail:
      "'Cities.name' is of type string, 'Cities.id' of type integer; the two ends of a relation must have the same type.",
  },
  {
    comment: 'an unknown type of relation',
    file: cities(
      '    relations: [{name: twin, type: manyToMany, from: stateId, entity: Cities, to: id}]',
    ),
    place: 'domain.entities[0].relations[0].type',
    detail: "'manyToMany' is not a valid choice.",
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
    comment: 'a relation with the name of a property',
    file: cities('    relations: [{name: name, from: stateId, entity: Cities, to: id}]'),
    place: 'domain.entities[0].relations[0].name',
    detail: "'Cities' already has a property 'name'.",
  },
  {
    comment: 'an inverse with the name of a property',
    file: cities(
      '    relations: [{name: twin, from: stateId, entity: Cities, to: id, target: name}]',
    ),
    place: 'domain.entities[0].relations[0].target',
    detail: "'Cities' already has a property 'name'.",
  },
  {
    comment: 'two inverses with the same name',
    file: cities(
      '    relations: [{name: twin, from: stateId, entity: Cities, to: id, target: twins}, {name: other, from: id, entity: Cities, to: stateId, target: twins}]',
    ),
    place: 'domain.entities[0].relations[1].target',
    detail: "'Cities' already has another relation 'twins'.",
  },
  {
    comment: 'two inverses with the same name through different properties of a join table',
    file: cities(
      '    relations: [{name: a, from: id, entity: Cities, to: id, through: {entity: Cities, from: id, to: stateId}, target: twins}, {name: b, from: id, entity: Cities, to: id, through: {entity: Cities, from: stateId, to: id}, target: twins}]',
    ),
    place: 'domain.entities[0].relations[1].target',
    detail: "'Cities' already has another relation 'twins'.",
  },
];
