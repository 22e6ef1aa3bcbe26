import { Value } from 'typebox/value'
import { OPTIONS } from '../options/registry.ts'
import { keysOf, recordOf } from '../records.ts'
import {
  ChannelDefinition,
  ConfigurationDocument,
  GroupDefinition,
  LimitDefinition,
  ManagementKeyDefinition,
  PriceDefinition,
  TeamDefinition,
} from './schema.ts'
import { SECTIONS } from './sections.ts'

/** An error in a document, and its path. */
interface Fault {
  path: string
  message: string
  /** For an unknown name: the name, and the names that are allowed at this path. */
  unknown?: string
  known?: readonly string[]
}

const DEFINITIONS = {
  groups: GroupDefinition,
  limits: LimitDefinition,
  prices: PriceDefinition,
  channels: ChannelDefinition,
  teams: TeamDefinition,
  management_keys: ManagementKeyDefinition,
}

/** Returns the errors of a document: an empty list if the document is valid. */
export function findFaults(document: unknown): Fault[] {
  const faults = Value.Errors(ConfigurationDocument, document).flatMap((error): Fault[] => {
    const path = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
    if (error.keyword === 'boolean') return []
    if (error.keyword !== 'additionalProperties') return [{ path, message: messageOf(error) }]
    return error.params.additionalProperties.map((name) => unknownFault(path, name, knownIn(path)))
  })
  const names = Object.keys(recordOf(recordOf(document).options))
  const unknownOptions = names.filter((name) => !Object.hasOwn(OPTIONS, name))
  return [...faults, ...unknownOptions.map((name) => unknownFault('options', name, Object.keys(OPTIONS)))]
}

function unknownFault(path: string, unknown: string, known: readonly string[]): Fault {
  return { path, message: 'is not known', unknown, known }
}

function messageOf({ keyword, params, message }: { keyword: string; params: object; message: string }): string {
  const { allowedValues, allowedValue } = recordOf(params)
  if (keyword === 'enum' && Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(', ')}`
  if (keyword === 'const') return `must be ${JSON.stringify(allowedValue)}`
  return message
}

function knownIn(path: string): string[] {
  if (path === '') return ['version', ...SECTIONS]
  const section = keysOf(DEFINITIONS).find((name) => name === path.split('.')[0])
  return section ? Object.keys(DEFINITIONS[section].properties) : []
}
