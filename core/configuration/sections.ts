/** The parts of a configuration, in the order in which they are compared. */
export const SECTIONS = ['options', 'groups', 'prices', 'channels', 'teams', 'limits', 'management_keys'] as const
export type ConfigurationSection = (typeof SECTIONS)[number]
/** Sections that are lists. Their entries have names of several parts. */
export const LISTS = ['limits', 'management_keys'] as const satisfies readonly ConfigurationSection[]
