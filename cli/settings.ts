import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import {
  type Config,
  parseConfig,
  resolveSettings,
  SETTINGS,
  type SettingName,
  type SettingOrigin,
} from '../core/config.ts'
import { errorMessage } from '../core/error-parts.ts'
import { GatewayError } from '../core/errors.ts'
import { isRecord } from '../core/records.ts'
import type { CliIo, Environment } from './io.ts'

/*
 * Reads the settings from flags, the environment and tollgate.yaml.
 */
type Flags = Partial<Record<SettingName, string | undefined>>

const FILE_NAME = 'tollgate.yaml'

/** Each setting with its origin, and the path of the settings file; `file` is undefined without such a file. */
export interface Settings {
  origins: SettingOrigin[]
  file: string | undefined
}

/** Reads the settings. Throws CONFIG_INVALID for an unreadable settings file. `toConfig` validates the values later. */
export async function readSettings(
  { flags = {}, file }: { flags?: Flags; file?: string | undefined },
  { env: environment, folder }: Pick<CliIo, 'env' | 'folder'>,
): Promise<Settings> {
  const path = findFile(file, folder)
  return {
    origins: resolveSettings({ flags, environment: { ...environment }, file: path ? await readFile(path) : {} }),
    file: path,
  }
}

/** Converts settings to the configuration. Throws CONFIG_INVALID with the name of an invalid setting. */
export function toConfig({ origins }: Settings): Config {
  return parseConfig(origins, availableParallelism())
}

/** Whether the environment allows color. False with NO_COLOR (https://no-color.org) and for terminals without color. */
export function isColorAllowed(environment: Environment): boolean {
  return !environment.NO_COLOR && environment.TERM !== 'dumb'
}

/** Whether unexpected errors are printed with their stack. */
export function isStackWanted(environment: Environment): boolean {
  return environment.LOG_LEVEL === 'debug' || environment.LOG_LEVEL === 'trace'
}

function findFile(givenPath: string | undefined, folder: string): string | undefined {
  const path = resolve(folder, givenPath ?? FILE_NAME)
  if (existsSync(path)) return path
  if (givenPath === undefined) return undefined
  throw new GatewayError('CONFIG_INVALID', { name: path, reason: 'there is no such file' })
}

async function readFile(path: string): Promise<Record<string, string | undefined>> {
  const { parse } = await import('yaml')
  const invalidFile = (reason: string) => new GatewayError('CONFIG_INVALID', { name: path, reason })
  let content: unknown
  try {
    content = parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw invalidFile(errorMessage(cause).split(/:?\n/, 1)[0] ?? '')
  }
  if (content === null) return {}
  if (!isRecord(content)) throw invalidFile('must be a list of `name: value` lines')
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => {
      if (!Object.hasOwn(SETTINGS, name.toUpperCase())) throw invalidFile(`there is no setting named ${name}`)
      return [name, textOf(value) ?? throwError(invalidFile(`${name} must be a single value`))]
    }),
  )
}

/** Converts a scalar to its environment text, a list of scalars to a comma list; undefined for other values. */
function textOf(value: unknown): string | undefined {
  if (value === null) return ''
  if (Array.isArray(value)) {
    const texts = value.map(textOf)
    return texts.includes(undefined) ? undefined : texts.join(',')
  }
  return typeof value === 'object' ? undefined : String(value)
}

function throwError(error: Error): never {
  throw error
}
