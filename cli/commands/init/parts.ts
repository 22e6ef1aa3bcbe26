import { GatewayError } from '../../../core/errors.ts'
import type { InitOptions } from '../init.ts'

/** Parts that the database already has before this run. */
export interface ExistingParts {
  /** Username of root. */
  root: string | undefined
  channel: boolean
  token: boolean
}

/** Parts to set up in this run. */
export interface Parts {
  root: boolean
  channel: boolean
  token: boolean
}

/**
 * Returns the missing parts, except parts that flags skip. If root exists and flags name parts, returns only the named
 * parts. Throws ALREADY_INITIALISED if a part that flags name already exists, or if no part remains.
 */
export function wantedParts(options: InitOptions, existing: ExistingParts): Parts {
  const namedByFlags = namedParts(options)
  const missing: Parts = { root: existing.root === undefined, channel: !existing.channel, token: !existing.token }
  const hasNamed = namedByFlags.root || namedByFlags.channel || namedByFlags.token
  const selectedParts = !missing.root && hasNamed ? namedByFlags : missing
  const newParts = {
    root: selectedParts.root || namedByFlags.root,
    channel: (selectedParts.channel || namedByFlags.channel) && !options.skipChannel,
    token: (selectedParts.token || namedByFlags.token) && !options.skipToken,
  }
  const hasExisting = (Object.keys(newParts) as (keyof Parts)[]).some((part) => newParts[part] && !missing[part])
  if (hasExisting || !(newParts.root || newParts.channel || newParts.token)) {
    throw new GatewayError('ALREADY_INITIALISED', { username: existing.root ?? 'root' })
  }
  return newParts
}

function namedParts(options: InitOptions): Parts {
  const {
    rootPassword,
    channelType,
    channelKey,
    channelKeyStdin,
    channelName,
    channelBaseUrl,
    channelModels,
    tokenName,
  } = options
  const isAnyGiven = (...texts: (string | true | undefined)[]) => texts.some((text) => text !== undefined)
  return {
    root: isAnyGiven(rootPassword),
    channel: isAnyGiven(channelType, channelKey, channelKeyStdin, channelName, channelBaseUrl, channelModels),
    token: isAnyGiven(tokenName),
  }
}
