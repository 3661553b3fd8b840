/**
 * A run that starts without input takes its first messages before any turn has recorded limits. This number is part of
 * the replayed rules: never change it, add a rule instead.
 */
export const defaultsBeforeOpening = { maxInjectionsPerDrain: 3 } as const;
