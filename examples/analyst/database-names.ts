/** The databases that the analyst may ask. */
export const databaseNames = ['production', 'staging', 'analytics'] as const;
export type DatabaseName = (typeof databaseNames)[number];
