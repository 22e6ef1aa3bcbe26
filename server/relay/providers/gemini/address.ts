import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import type { GeminiSettings } from './settings.ts'

const VERSIONED = /\/v\d+[a-z0-9]*$/

/** Returns the API version for a model, from the operator's settings, else the channel's `other`, else its type. */
export function apiVersion(model: string, { other, type }: LiveChannel, { versions }: GeminiSettings): string {
  const configuredVersion = Object.hasOwn(versions, model) ? versions[model] : undefined
  return configuredVersion ?? (other.trim() || type.otherDefault || 'v1beta')
}

/** Returns the URL of a model's method: `base/v1beta/models/{model}:{method}`. */
export function modelAddress(
  baseUrl: string,
  { version, model, method }: { version: string; model: string; method: string },
): string {
  return `${versionRoot(baseUrl, version)}/${modelPath(model)}:${method}`
}

/** Returns the URL of the upstream's list of models. */
export function modelListAddress({ baseUrl, other, type }: Pick<LiveChannel, 'baseUrl' | 'other' | 'type'>): string {
  return `${versionRoot(baseUrl, other.trim() || type.otherDefault || 'v1beta')}/models`
}

function versionRoot(baseUrl: string, version: string): string {
  return VERSIONED.test(baseUrl) ? baseUrl : `${baseUrl}/${encodeURIComponent(version)}`
}

/** Returns `models/{model}`, or `tunedModels/{model}` if the name has that prefix. */
function modelPath(model: string): string {
  const [, tuned, name = model] = /^(?:models\/|(tunedModels)\/)(.+)$/.exec(model) ?? []
  return `${tuned ?? 'models'}/${encodeURIComponent(name)}`
}
