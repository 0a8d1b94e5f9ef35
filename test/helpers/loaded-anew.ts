import { registerHooks } from 'node:module';
import { onTestFinished } from 'vitest';

let loaded = 0;

/** Loads a module another time, for this test. Its first import of that library fails. */
export async function loadedAnew<Module>(module: URL, library: string): Promise<Module> {
  loaded += 1;
  const url = `${module.href}?anew=${loaded}`;
  let failed = false;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (failed || specifier !== library || context.parentURL !== url) return next(specifier, context);
      failed = true;
      throw new Error('too many open files');
    },
  });
  onTestFinished(() => hooks.deregister());
  return (await import(url)) as Module;
}
