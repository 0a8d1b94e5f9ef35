/** Words of a date that is to be kept; every other date is of what has been. */
const toKeep =
  /due|deadline|back by|return by|fällig|frist|rückgabe|vence|límite|échéance|next|nächst|próxim|prochain|renewal/iu;

/** Whether the label of a date says that something is to happen by then. */
export const isDueDate = (label: string): boolean => toKeep.test(label);
