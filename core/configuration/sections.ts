/** The parts of a configuration, in the order in which they are compared. */
export const SECTIONS = ['options', 'groups', 'prices', 'channels', 'teams', 'limits', 'management_keys'] as const
export type Section = (typeof SECTIONS)[number]
/** Sections that are lists: what is in them has a name of several parts. */
export const LISTS = ['limits', 'management_keys'] as const satisfies readonly Section[]
