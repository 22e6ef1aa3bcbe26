import { Option } from 'commander'

export type Kind = 'drawing' | 'music'

/** Drawings and music are kept apart, each with numbers of its own. */
export const kindOption = () => new Option('--kind <kind>', 'what it is').choices(['drawing', 'music']).default('music')
