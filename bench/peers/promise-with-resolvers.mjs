/** `Promise.withResolvers` of ECMAScript 2024, which PostGraphile calls and Node 20 has not. */

Promise.withResolvers ??= function withResolvers() {
  let resolve;
  let reject;
  const promise = new this((resolveIt, rejectIt) => {
    resolve = resolveIt;
    reject = rejectIt;
  });
  return { promise, resolve, reject };
};
