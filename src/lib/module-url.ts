import path from 'node:path';

/** The extension of modules: `.ts` here, `.js` in the package, which is compiled as Node.js strips no types of packages. */
const extension = path.extname(import.meta.filename);

/** The address of a module that is not imported by its name, such as the program of a thread. @param base `import.meta.url` */
export function moduleUrl(name: string, base: string | URL): URL {
  return new URL(`${name}${extension}`, base);
}
