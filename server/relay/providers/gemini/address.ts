import type { LiveChannel } from '../../../../core/channels/directory.ts'
import type { GeminiSettings } from './settings.ts'

const VERSIONED = /\/v\d+[a-z0-9]*$/

/** Of the API, for one model: the operator's table, the channel's `other`, then `v1beta`. */
export function apiVersion(model: string, { other, type }: LiveChannel, { versions }: GeminiSettings): string {
  const mapped = Object.hasOwn(versions, model) ? versions[model] : undefined
  return mapped ?? (other.trim() || type.otherDefault || 'v1beta')
}

/** Where a method of a model is: `base/v1beta/models/{model}:{method}`. */
export function modelAddress(
  baseUrl: string,
  { version, model, method }: { version: string; model: string; method: string },
): string {
  return `${versionRoot(baseUrl, version)}/${modelPath(model)}:${method}`
}

/** Where a channel's upstream lists its models. */
export function modelListAddress({ baseUrl, other, type }: Pick<LiveChannel, 'baseUrl' | 'other' | 'type'>): string {
  return `${versionRoot(baseUrl, other.trim() || type.otherDefault || 'v1beta')}/models`
}

function versionRoot(baseUrl: string, version: string): string {
  return VERSIONED.test(baseUrl) ? baseUrl : `${baseUrl}/${encodeURIComponent(version)}`
}

/** `models/{model}`, or `tunedModels/{model}` where the name says so. */
function modelPath(model: string): string {
  const [, tuned, name = model] = /^(?:models\/|(tunedModels)\/)(.+)$/.exec(model) ?? []
  return `${tuned ?? 'models'}/${encodeURIComponent(name)}`
}
