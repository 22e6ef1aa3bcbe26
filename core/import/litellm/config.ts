import { createHash } from 'node:crypto'
import { parse } from 'yaml'
import { errorMessage } from '../../error-parts.ts'
import { GatewayError } from '../../errors.ts'
import { recordOf } from '../../records.ts'
import type { SourceRow } from '../sources/source.ts'
import { LITELLM_PROVIDERS, splitModel } from './providers.ts'

/** An item of `model_list`. */
interface Deployment {
  name: string
  upstream: string
  provider: string
  base: string
  key: string
  other: string
  weight: number
  priority: number
}

export interface LitellmConfig {
  channels: SourceRow[]
  databaseUrl: string
  warnings: string[]
}

const ENVIRONMENT = 'os.environ/'
const ENABLED = 1
const DISABLED = 2

/**
 * Reads LiteLLM's config.yaml. Deployments with the same provider, address, key and weight become one channel.
 * `environment` resolves references to environment variables. Throws IMPORT_SOURCE_UNREADABLE.
 */
export function readLitellmConfig(
  text: string,
  { source, environment }: { source: string; environment: Readonly<Record<string, string | undefined>> },
): LitellmConfig {
  const unreadable = (reason: string, cause?: unknown) =>
    new GatewayError('IMPORT_SOURCE_UNREADABLE', { source, reason }, { cause })
  let document: unknown
  try {
    document = parse(text)
  } catch (cause) {
    throw unreadable(errorMessage(cause), cause)
  }
  const warnings: string[] = []
  const root = recordOf(document)
  const list = root.model_list
  if (!Array.isArray(list)) throw unreadable('it has no model_list')
  const readValue = (raw: unknown, where: string): string => {
    if (raw === undefined || raw === null) return ''
    const sourceText = String(raw)
    if (!sourceText.startsWith(ENVIRONMENT)) return sourceText
    const name = sourceText.slice(ENVIRONMENT.length)
    if (environment[name] === undefined)
      warnings.push(`${where} is in the environment variable ${name}, which is not set`)
    return environment[name] ?? ''
  }
  const deployments = list.flatMap((item, at) => deploymentOf(item, at, { readValue, warnings }))
  const general = recordOf(root.general_settings)
  return {
    channels: channelsOf(deployments, warnings),
    databaseUrl: readValue(general.database_url, 'general_settings.database_url'),
    warnings,
  }
}

type ReadValue = (raw: unknown, where: string) => string

function deploymentOf(
  item: unknown,
  at: number,
  { readValue, warnings }: { readValue: ReadValue; warnings: string[] },
): Deployment[] {
  const { model_name, litellm_params } = recordOf(item)
  const params = recordOf(litellm_params)
  const name = typeof model_name === 'string' ? model_name.trim() : ''
  if (name === '' || typeof params.model !== 'string') {
    warnings.push(`model_list[${at}] has no model_name or no litellm_params.model: left out`)
    return []
  }
  if (name.includes('*')) {
    warnings.push(`${name} is a pattern, which is not imported: add a channel with the names of its models`)
    return []
  }
  const where = `litellm_params of ${name}`
  if (params.input_cost_per_token !== undefined || params.output_cost_per_token !== undefined) {
    warnings.push(`${name} has prices of its own: set them with tollgate pricing set`)
  }
  const base = readValue(params.api_base ?? params.base_url, `api_base in ${where}`).replace(/\/+$/, '')
  const { provider, model } = splitModel(params.model, base !== '')
  return [
    {
      name,
      upstream: model,
      provider,
      base,
      key: keyOf(provider, params, (raw, field) => readValue(raw, `${field} in ${where}`)),
      other: readValue(params.api_version ?? params.vertex_location, `api_version in ${where}`),
      weight: wholeNumber(params.weight, 1),
      // LiteLLM uses the lowest order first, Tollgate the highest priority.
      priority: -wholeNumber(params.order, 0),
    },
  ]
}

function keyOf(
  provider: string,
  params: Record<string, unknown>,
  readValue: (raw: unknown, field: string) => string,
): string {
  if (provider === 'bedrock' && params.aws_access_key_id !== undefined) {
    return ['aws_access_key_id', 'aws_secret_access_key', 'aws_region_name']
      .map((field) => readValue(params[field], field))
      .join('|')
  }
  if (provider === 'vertex_ai') return readValue(params.vertex_credentials ?? params.api_key, 'vertex_credentials')
  return readValue(params.api_key, 'api_key')
}

function channelsOf(deployments: readonly Deployment[], warnings: string[]): SourceRow[] {
  const channels = new Map<string, { first: Deployment; models: Map<string, string> }>()
  for (const deployment of deployments) {
    const { provider, base, key, other, weight, priority, name, upstream } = deployment
    // If two deployments have one name, each gets its own channel, so that requests are distributed over both.
    for (let copy = 0; ; copy++) {
      const id = JSON.stringify([provider, base, key, other, weight, priority, copy])
      const channel = channels.get(id) ?? { first: deployment, models: new Map<string, string>() }
      if (channel.models.has(name)) continue
      channel.models.set(name, upstream)
      channels.set(id, channel)
      break
    }
  }
  return [...channels].map(([id, { first, models }]) => {
    const provider = LITELLM_PROVIDERS[first.provider]
    const title = `${first.provider || 'unknown'} ${[...models.keys()][0]}`
    if (!provider)
      warnings.push(`The provider of ${[...models.keys()].join(', ')} is not known: its channel is disabled`)
    if (first.key === '' && provider) warnings.push(`The channel ${title} has no key: it is disabled`)
    const mapped = [...models].filter(([name, upstream]) => name !== upstream)
    return {
      id: numericIdOf(id),
      type: provider?.type ?? 1,
      name: title,
      key: first.key || 'none',
      status: provider && (first.key !== '' || first.provider.startsWith('ollama')) ? ENABLED : DISABLED,
      base_url: first.base || provider?.base || '',
      other: first.other,
      models: [...models.keys()].join(','),
      group: 'default',
      weight: first.weight,
      priority: first.priority,
      model_mapping: mapped.length > 0 ? JSON.stringify(Object.fromEntries(mapped)) : '',
      used_quota: 0,
    }
  })
}

/** Derives a numeric id from a name, because objects of LiteLLM have no numeric ids. */
export function numericIdOf(name: string): number {
  return Number.parseInt(createHash('sha256').update(name).digest('hex').slice(0, 12), 16)
}

function wholeNumber(value: unknown, otherwise: number): number {
  const number = Math.trunc(Number(value ?? otherwise))
  return Number.isSafeInteger(number) && number >= 0 ? number : otherwise
}
