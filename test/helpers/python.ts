import { execFileSync } from 'node:child_process';

/** A Python with the library `requests`, which samples use. One that comes first in the PATH may lack it. */
export const python = ['python3', '/usr/bin/python3'].find(hasRequests);

function hasRequests(command: string): boolean {
  try {
    execFileSync(command, ['-c', 'import requests'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
