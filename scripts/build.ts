/**
 * Makes in `build/` what is made of the contract and nobody reads: the validators of requests, of replies and of
 * features, and the Postman collection; and what is made of our modules for a quick start. Runs after every install and
 * every generation, and before the tests where it is not of the contract that is there.
 *
 * It needs `generated/` and the packages that the server runs on. Without the development packages, and so without
 * Postman's converter, it makes no collection and keeps one of this contract.
 */
import { makeBuild } from './generate/build.ts';
import { makeServerBundle } from './generate/server-bundle.ts';

await makeBuild();
try {
  await makeServerBundle();
} catch (error) {
  console.log(`The server's bundle could not be made, so its start takes longer: ${error}`);
}
