/** Where the sample's firms are: countries with their way of writing addresses and numbers. */

export interface City {
  readonly name: string;
  readonly region: string | null;
}

/** `#` stands for a digit, `~` for one that is not 0, `@` for the name of a street. */
export interface Country {
  readonly name: string;
  readonly cities: readonly [City, ...City[]];
  readonly postalCode: string;
  readonly phone: string;
  readonly street: string;
  readonly streets: readonly [string, ...string[]];
}

function cities(...names: [string, ...string[]]): [City, ...City[]] {
  const toCity = (text: string): City => {
    const [name = '', region = null] = text.split(' / ');
    return { name, region };
  };
  const [first, ...others] = names;
  return [toCity(first), ...others.map(toCity)];
}

export const countries: readonly [Country, ...Country[]] = [
  {
    name: 'Germany',
    cities: cities('München', 'Köln', 'Lübeck', 'Dresden', 'Berlin'),
    postalCode: '#####',
    phone: '+49 ### #######',
    street: '@ ~#',
    streets: ['Lindenstraße', 'Am Mühlbach', 'Schloßgasse', 'Hafenweg', 'Königsallee'],
  },
  {
    name: 'France',
    cities: cities('Besançon', 'Nîmes', 'Lyon', 'Orléans', 'Paris'),
    postalCode: '#####',
    phone: '+33 # ## ## ## ##',
    street: '~#, @',
    streets: ["rue de l'Église", 'quai des Bateliers', "allée de l'Été", 'place du Marché'],
  },
  {
    name: 'UK',
    cities: cities('London', 'York / North Yorkshire', 'Cowes / Isle of Wight', 'Leeds'),
    postalCode: 'EC# #QN',
    phone: '+44 20 #### ####',
    street: '~# @',
    streets: ["St Brannock's Lane", 'Harbour Row', "King's Parade", 'Mill Crescent'],
  },
  {
    name: 'USA',
    cities: cities('Portland / OR', 'Boise / ID', 'Albuquerque / NM', 'Savannah / GA'),
    postalCode: '#####',
    phone: '(###) 555-####',
    street: '~## @',
    streets: ['Cedar Avenue', 'Old Ferry Road', '14th Street', "Miller's Bend"],
  },
  {
    name: 'Brazil',
    cities: cities('São Paulo / SP', 'Belém / PA', 'Florianópolis / SC', 'Rio de Janeiro / RJ'),
    postalCode: '#####-###',
    phone: '+55 11 ####-####',
    street: '@, ~##',
    streets: ['Rua das Mangueiras', 'Avenida Água Clara', 'Travessa São João'],
  },
  {
    name: 'Spain',
    cities: cities('Málaga', 'A Coruña', 'Sevilla', 'Logroño'),
    postalCode: '#####',
    phone: '+34 ### ## ## ##',
    street: '@, ~#',
    streets: ['Calle del Olmo', 'Paseo de la Muñeca', 'Plaza de los Ángeles'],
  },
  {
    name: 'Mexico',
    cities: cities('Mérida / Yucatán', 'México D.F.', 'Oaxaca / Oaxaca'),
    postalCode: '#####',
    phone: '+52 55 #### ####',
    street: '@ ~##',
    streets: ['Calle Jacarandá', 'Avenida Niños Héroes', 'Callejón del Águila'],
  },
  {
    name: 'Denmark',
    cities: cities('København', 'Århus', 'Ærøskøbing'),
    postalCode: '####',
    phone: '+45 ## ## ## ##',
    street: '@ ~#',
    streets: ['Nørregade', 'Ved Åen', 'Smørhullet'],
  },
  {
    name: 'Poland',
    cities: cities('Łódź', 'Kraków', 'Gdańsk'),
    postalCode: '##-###',
    phone: '+48 ## ### ## ##',
    street: 'ul. @ ~#',
    streets: ['Źródlana', 'Święty Krzyż', 'Jabłoniowa'],
  },
  {
    name: 'Switzerland',
    cities: cities('Zürich / ZH', 'Genève / GE', 'Bern / BE'),
    postalCode: '####',
    phone: '+41 ## ### ## ##',
    street: '@ ~#',
    streets: ['Rämistrasse', 'Chemin des Crêts', 'Gänseweg'],
  },
  {
    name: 'Japan',
    cities: cities('東京 / 東京都', '京都 / 京都府', '札幌 / 北海道'),
    postalCode: '###-####',
    phone: '+81 3-####-####',
    street: '@~-##-#',
    streets: ['桜木町', '本町', '緑が丘'],
  },
  {
    name: 'Ireland',
    cities: cities('Cork / Co. Cork', 'Dún Laoghaire', 'Galway'),
    postalCode: 'A## X###',
    phone: '+353 # ### ####',
    street: '~# @',
    streets: ["O'Connell's Quay", 'Sráid na Siopaí', "Fisherman's Walk"],
  },
];
