import type { Db } from '../../background/jobs/queue/task.ts';
import type { VendorObjects } from '../../background/vendor-objects/vendor-objects.ts';
import { ServiceError } from '../../contract/errors.ts';
import { type Form, filesNamed } from '../../contract/form.ts';
import { sandboxId } from '../../model/usage.ts';
import type { VendorObject } from './vendor-files.ts';

/** The most that the sandbox keeps, in bytes: of one file, and of all files of a tenant. */
const maxFile = 8 * 1024 * 1024;
const maxTenant = 64 * 1024 * 1024;

/** A file that the sandbox is to keep. */
export interface SandboxFile {
  readonly id: string;
  readonly filename: string;
  readonly purpose: string;
  readonly bytes: Uint8Array;
  /** Milliseconds; null: until it is deleted. */
  readonly keepMs: number | null;
}

/** Keeps the file of a form in the database. Throws `ServiceError` for one that is too large, or that the tenant has no room for. */
export async function keepInSandbox(
  objects: VendorObjects,
  tenantId: string,
  id: string,
  form: Form,
): Promise<VendorObject> {
  const [file] = filesNamed(form, 'file');
  if (!file) throw new Error('The form has no file.');
  if (file.length > maxFile)
    throw new ServiceError('payload_too_large', 'file: the sandbox keeps files of at most 8 MiB.', {
      param: 'file',
    });
  const pieces: Buffer[] = [];
  for await (const piece of file.bytes()) pieces.push(piece);
  const purpose = form.parts.find(({ name }) => name === 'purpose')?.text ?? 'user_data';
  const filename = (file.filename ?? 'file').slice(0, 500);
  const bytes = Buffer.concat(pieces);
  if (!(await objects.keepContent(tenantId, id, bytes, maxTenant)))
    throw new ServiceError(
      'payload_too_large',
      'The sandbox keeps at most 64 MiB for a tenant; delete files first.',
      { param: 'file' },
    );
  return recordFile(objects, tenantId, { id, filename, purpose, bytes, keepMs: null });
}

/** Keeps a file in the database, whether the tenant has room for it or not. */
export async function putFile(
  objects: VendorObjects,
  tenantId: string,
  file: SandboxFile,
  db: Db,
): Promise<VendorObject> {
  await objects.putContent(tenantId, file.id, file.bytes, db);
  return recordFile(objects, tenantId, file, db);
}

/** Whether a tenant has room for any more in its files. */
export async function hasRoom(objects: VendorObjects, tenantId: string): Promise<boolean> {
  return (await objects.held(tenantId)) < maxTenant;
}

async function recordFile(
  objects: VendorObjects,
  tenantId: string,
  { id, filename, purpose, bytes, keepMs }: SandboxFile,
  db?: Db,
): Promise<VendorObject> {
  const file = {
    id,
    object: 'file',
    bytes: bytes.length,
    created_at: Math.floor(objects.now / 1000),
    filename,
    purpose,
    status: 'processed',
  };
  const object = { provider: sandboxId, model: null, vendorId: id, data: file, counted: true, keepMs };
  await objects.record({ tenantId, kind: 'file', id, ...object }, db);
  return file;
}
