import { Value } from 'typebox/value'
import { OPTIONS } from '../options/registry.ts'
import {
  ChannelDefinition,
  ConfigurationDocument,
  GroupDefinition,
  LimitDefinition,
  PriceDefinition,
} from './schema.ts'
import { SECTIONS } from './sections.ts'

/** What is wrong with a document, and where. */
export interface Fault {
  path: string
  message: string
  /** A name that nothing has here, and those that are known. */
  unknown?: string
  known?: readonly string[]
}

const DEFINITIONS = {
  groups: GroupDefinition,
  limits: LimitDefinition,
  prices: PriceDefinition,
  channels: ChannelDefinition,
}

/** Everything that is wrong with a document; nothing if it is one. */
export function findFaults(document: unknown): Fault[] {
  const faults = Value.Errors(ConfigurationDocument, document).flatMap((error): Fault[] => {
    const path = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
    if (error.keyword === 'boolean') return []
    if (error.keyword !== 'additionalProperties') return [{ path, message: error.message }]
    const { additionalProperties } = error.params as { additionalProperties: string[] }
    return additionalProperties.map((unknown) => ({ path, message: 'is not known', unknown, known: knownIn(path) }))
  })
  const { options } = (typeof document === 'object' && document !== null ? document : {}) as { options?: unknown }
  const names = typeof options === 'object' && options !== null ? Object.keys(options) : []
  const unknownOptions = names.filter((name) => !Object.hasOwn(OPTIONS, name))
  return [
    ...faults,
    ...unknownOptions.map((unknown) => ({
      path: 'options',
      message: 'is not known',
      unknown,
      known: Object.keys(OPTIONS),
    })),
  ]
}

function knownIn(path: string): string[] {
  if (path === '') return ['version', ...SECTIONS]
  const section = path.split('.')[0] as keyof typeof DEFINITIONS
  return Object.keys(DEFINITIONS[section]?.properties ?? {})
}
