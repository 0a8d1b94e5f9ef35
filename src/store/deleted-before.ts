/**
 * The name under which `settings` hold what was deleted of the ledger: the events of requests that were admitted before
 * that time, in milliseconds since the epoch. Some of them may still be there.
 */
export const deletedBefore = 'ledger_deleted_before';
