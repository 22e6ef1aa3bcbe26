import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { parseObject, textOf } from '../../json.ts'
import { misconfigured, type ServiceAccount } from './service-account.ts'

/** Who publishes a model in Vertex AI's garden. */
export type Publisher = 'google' | 'anthropic'

const GLOBAL_HOST = 'https://aiplatform.googleapis.com'

/**
 * Where a channel's model runs: `other` is a region, or a JSON object of models and their regions, looked up by the name
 * that the client used, then the upstream's, then `default`. Throws CHANNEL_MISCONFIGURED.
 */
export function regionOf(
  { id, other }: LiveChannel,
  { requestedModel, model }: { requestedModel: string; model: string },
): string {
  const regions = parseObject(other)
  if (!regions) return other.trim() || misconfigured(id, 'it has no region: set its field other')
  const names = [requestedModel, model, 'default'].filter((name) => Object.hasOwn(regions, name))
  const region = names.map((name) => textOf(regions[name])?.trim()).find(Boolean)
  return region ?? misconfigured(id, `its regions have neither ${model} nor a default`)
}

/** The host of a region; `us` and `eu` span several, `global` all of them. */
export function hostOf(region: string): string {
  if (region === 'global') return GLOBAL_HOST
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com`
  return `https://${encodeURIComponent(region)}-aiplatform.googleapis.com`
}

export interface Place {
  /** Scheme and host, with whatever path the operator's own base URL has. */
  readonly base: string
  /** `projects/{project}/locations/{region}`. */
  readonly parent: string
}

export function placeOf(
  channel: LiveChannel,
  { projectId }: ServiceAccount,
  names: { requestedModel: string; model: string },
): Place {
  const region = regionOf(channel, names)
  return {
    base: channel.baseUrl || hostOf(region),
    parent: `projects/${encodeURIComponent(projectId)}/locations/${encodeURIComponent(region)}`,
  }
}

/** Previews are served by the beta of the API alone. */
export function versionOf(model: string): 'v1' | 'v1beta1' {
  return /preview|-exp\b|experimental/.test(model) ? 'v1beta1' : 'v1'
}

/** A method of a published model. */
export function publishedAddress(
  { base, parent }: Place,
  {
    publisher,
    model,
    method,
    version = 'v1',
  }: { publisher: Publisher; model: string; method: string; version?: string },
): string {
  return `${base}/${version}/${parent}/publishers/${publisher}/models/${encodeModel(model)}:${method}`
}

/** Open models converse in OpenAI's format, at one address for all. */
export function openModelsAddress({ base, parent }: Place): string {
  return `${base}/v1beta1/${parent}/endpoints/openapi/chat/completions`
}

/** Express mode: an API key, no project and no region. */
export function expressAddress(baseUrl: string, { model, method }: { model: string; method: string }): string {
  return `${baseUrl || GLOBAL_HOST}/v1/publishers/google/models/${encodeModel(model)}:${method}`
}

/** The `@` before a date is a legal character of a path, and stays readable. */
function encodeModel(model: string): string {
  return encodeURIComponent(model).replaceAll('%40', '@')
}
