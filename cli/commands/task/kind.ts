import { Option } from 'commander'

export type Kind = 'drawing' | 'music'

/** Drawings and music are separate tables with their own ids. */
export const kindOption = () => new Option('--kind <kind>', 'what it is').choices(['drawing', 'music']).default('music')
