import { GatewayError } from '../../../core/errors.ts'
import type { InitOptions } from './options.ts'

/** Parts that the database already has. */
export interface Standing {
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
 * Returns the missing parts without skipped ones; on an initialized gateway only those that flags name, if any. Throws
 * ALREADY_INITIALISED if a named part exists or no part is missing.
 */
export function wantedParts(options: InitOptions, standing: Standing): Parts {
  const named = namedParts(options)
  const missing: Parts = { root: standing.root === undefined, channel: !standing.channel, token: !standing.token }
  const some = named.root || named.channel || named.token
  const chosen = !missing.root && some ? named : { root: missing.root, channel: missing.channel, token: missing.token }
  const wanted = {
    root: chosen.root || named.root,
    channel: (chosen.channel || named.channel) && !options.skipChannel,
    token: (chosen.token || named.token) && !options.skipToken,
  }
  const there = (Object.keys(wanted) as (keyof Parts)[]).some((part) => wanted[part] && !missing[part])
  if (there || !(wanted.root || wanted.channel || wanted.token)) {
    throw new GatewayError('ALREADY_INITIALISED', { username: standing.root ?? 'root' })
  }
  return wanted
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
  const given = (...texts: (string | true | undefined)[]) => texts.some((text) => text !== undefined)
  return {
    root: given(rootPassword),
    channel: given(channelType, channelKey, channelKeyStdin, channelName, channelBaseUrl, channelModels),
    token: given(tokenName),
  }
}
