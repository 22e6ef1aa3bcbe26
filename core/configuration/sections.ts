/** The parts of a configuration, in the order in which they are compared. */
export const SECTIONS = ['options', 'groups', 'limits', 'prices', 'channels'] as const
export type Section = (typeof SECTIONS)[number]
