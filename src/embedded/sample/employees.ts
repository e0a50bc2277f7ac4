/** The employees of the sample. `reportsToId` makes them a tree. */
import type { SampleRow } from './row.js';

export const employeeRows: readonly SampleRow[] = [
  employee(1, null, 'Halvorsen|Ingrid|Managing Director|Dr.|1961-03-14|2009-05-01', 'Portland|OR'),
  employee(2, 1, 'Okafor|Chidi|Vice President, Sales|Dr.|1968-11-02|2010-02-15', 'Portland|OR'),
  employee(3, 2, "O'Brien|Siobhán|Sales Manager|Mrs.|1974-07-29|2011-09-01", 'London|'),
  employee(4, 2, 'Tanaka|陽子|Sales Manager|Ms.|1979-01-08|2012-04-02', 'Seattle|WA'),
  employee(5, 3, 'Müller|Jörg|Sales Representative|Mr.|1983-12-19|2014-06-16', 'London|'),
  employee(6, 3, 'Lefèvre|Chloé|Sales Representative|Ms.|1986-05-23|2015-01-12', 'London|'),
  employee(7, 4, 'Peña|Gonzalo|Sales Representative|Mr.|1990-08-30|2017-03-06', 'Boise|ID'),
  employee(8, 4, 'Nowak|Łucja|Sales Representative|Mrs.|1993-02-11|2018-10-08', 'Portland|OR'),
  employee(9, 2, 'Brandt|Ada|Sales Coordinator|Ms.|1996-09-05|2020-07-20', 'Portland|OR'),
];

function employee(
  id: number,
  reportsToId: number | null,
  person: string,
  place: string,
): SampleRow {
  const [lastName, firstName, title, titleOfCourtesy, birthDay, hireDay] = person.split('|');
  const [city = '', region = ''] = place.split('|');
  const isBritish = city === 'London';
  return {
    id,
    lastName: lastName ?? '',
    firstName: firstName ?? '',
    title: title ?? '',
    titleOfCourtesy: titleOfCourtesy ?? '',
    birthDate: `${birthDay}T00:00:00.000Z`,
    hireDate: `${hireDay}T08:00:00.000Z`,
    phone: isBritish ? `+44 20 7946 01${id}5` : `(503) 555-01${id}7`,
    reportsToId,
    address: isBritish ? `${id} King's Parade` : `${id}00 Cedar Avenue`,
    city,
    region: region === '' ? null : region,
    postalCode: isBritish ? `EC${id} 4QN` : `9720${id}`,
    country: isBritish ? 'UK' : 'USA',
  };
}
