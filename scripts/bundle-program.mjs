/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- no tsconfig covers this file: nothing has a type. */
/**
 * Bundles the modules that tsc has compiled into a few files in dist/program, because Node.js takes half a
 * second to load hundreds of modules. Packages are not bundled. The files of earlier builds stay for a day, because a
 * running program may load them later; `scripts/remove-old-program.mjs` keeps them out of the package.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastJson from 'fast-json-stringify';
import { rolldown } from 'rolldown';
import { removeSuperseded } from './remove-superseded.mjs';

const COMPILER = 'fast-json-stringify';
const COMPILED = `\0${COMPILER}`;
const SAMPLE = fileURLToPath(new URL('../schemas/northwind.yaml', import.meta.url));

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const target = `${dist}program/`;
const input = {
  rowgate: `${dist}cli/main.js`,
  worker: `${dist}workers/main.js`,
  gateway: `${dist}project/create-gateway.js`,
  engine: `${dist}engine/library.js`,
};

// A module of the engine is needed only for what it exports, so that a command loads few of them.
const treeshake = { moduleSideEffects: (id) => !id.startsWith(`${dist}engine/`) };
const prepared = {
  name: 'prepared',
  resolveId: (id) => (id === COMPILER ? COMPILED : null),
  load: (id) => {
    if (id === COMPILED) return compiledSerializers();
    return id === `${dist}project/sample-document.js` ? parsedSample() : null;
  },
};
const external = (id) => isPackage(id) && id !== COMPILER;
const bundle = await rolldown({
  input,
  platform: 'node',
  external,
  treeshake,
  plugins: [prepared],
});
const { output } = await bundle.generate({
  chunkFileNames: '[name]-[hash].js',
  // A worker that is replaced later must be of the same build as its program.
  entryFileNames: ({ name }) => (name === 'worker' ? '[name]-[hash].js' : '[name].js'),
});
await bundle.close();
mkdirSync(target, { recursive: true });
const worker = output.find(({ name, isEntry }) => isEntry && name === 'worker').fileName;
// The program has loaded the module that names the worker before it needs one, so that module may be replaced in place.
for (const { fileName, code } of output) {
  write(target + fileName, code.replace('../workers/main.js', `./${worker}`));
}
removeSuperseded(
  dist,
  output.map(({ fileName }) => fileName),
);

function isPackage(id) {
  return !/^[./]/.test(id) && !(id in input);
}

/**
 * The module that stands for fast-json-stringify: its function returns the serializer of a schema, compiled here.
 * The package would load a validator of schemas first, which is a tenth of what a start costs.
 */
async function compiledSerializers() {
  const { answerSchemas } = await import('../dist/gateway/small-answers.js');
  const entries = Object.values(answerSchemas).map((schema) => {
    const code = String(fastJson(schema, { mode: 'standalone' }));
    return `[${JSON.stringify(JSON.stringify(schema))}, compiled((module, require) => {${code}})],\n`;
  });
  return `import Serializer from '${COMPILER}/lib/serializer.js';
    function compiled(define) {
      const module = {};
      define(module, () => Serializer);
      return module.exports;
    }
    const serializers = new Map([${entries.join('')}]);
    export default (schema) => serializers.get(JSON.stringify(schema));`;
}

/** The module of the sample domain, with the document that the file contains now. */
async function parsedSample() {
  const { sampleDocument } = await import('../dist/project/sample-document.js');
  const document = JSON.stringify(await sampleDocument(SAMPLE));
  return `export const sampleDocument = async () => JSON.parse(${JSON.stringify(document)});`;
}

/** Writes a file at once, so that no program reads an incomplete one. */
function write(file, code) {
  if (readExisting(file) === code) return;
  writeFileSync(`${file}.${process.pid}`, code, { mode: 0o755 });
  renameSync(`${file}.${process.pid}`, file);
}

function readExisting(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
