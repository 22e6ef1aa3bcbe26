import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { parseObject } from '../../../../core/input.ts'
import { textOf } from '../../json.ts'
import { misconfigured } from '../plan-errors.ts'
import type { ServiceAccount } from './service-account.ts'

/** Publisher of a model in Vertex AI's Model Garden. */
type Publisher = 'google' | 'anthropic'

const GLOBAL_HOST = 'https://aiplatform.googleapis.com'

/**
 * Returns a model's region. Throws CHANNEL_MISCONFIGURED if the channel has no region for the model.
 *
 * The channel's field `other` is a region, or a JSON object of regions by model name. In the object, the client's model
 * name precedes the upstream's model name, which precedes `default`.
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

/** Returns the URL of a region's host. `us`, `eu` and `global` cover several regions. */
export function vertexHostOf(region: string): string {
  if (region === 'global') return GLOBAL_HOST
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com`
  return `https://${encodeURIComponent(region)}-aiplatform.googleapis.com`
}

export interface VertexLocation {
  /** Scheme, host and optional path, from the operator's base URL or the region. */
  readonly base: string
  /** Has the format `projects/{project}/locations/{region}`. */
  readonly parent: string
}

export function vertexLocationOf(
  channel: LiveChannel,
  { projectId }: ServiceAccount,
  names: { requestedModel: string; model: string },
): VertexLocation {
  const region = regionOf(channel, names)
  return {
    base: channel.baseUrl || vertexHostOf(region),
    parent: `projects/${encodeURIComponent(projectId)}/locations/${encodeURIComponent(region)}`,
  }
}

/** Returns the API version for a model. Only the beta version has preview models. */
export function vertexVersionOf(model: string): 'v1' | 'v1beta1' {
  return /preview|-exp\b|experimental/.test(model) ? 'v1beta1' : 'v1'
}

export function publishedAddress(
  { base, parent }: VertexLocation,
  {
    publisher,
    model,
    method,
    version = 'v1',
  }: { publisher: Publisher; model: string; method: string; version?: string },
): string {
  return `${base}/${version}/${parent}/publishers/${publisher}/models/${encodeModel(model)}:${method}`
}

/** Returns the URL of chat completions, for all open models. */
export function openModelsAddress({ base, parent }: VertexLocation): string {
  return `${base}/v1beta1/${parent}/endpoints/openapi/chat/completions`
}

/** Returns the URL of a method in express mode, which has no project or region. */
export function expressAddress(baseUrl: string, { model, method }: { model: string; method: string }): string {
  return `${baseUrl || GLOBAL_HOST}/v1/publishers/google/models/${encodeModel(model)}:${method}`
}

/** Encodes a model name for a path. Does not encode the `@` before a date. */
function encodeModel(model: string): string {
  return encodeURIComponent(model).replaceAll('%40', '@')
}
