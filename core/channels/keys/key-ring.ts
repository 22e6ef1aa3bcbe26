import type { Secrets } from '../../secrets.ts'
import type { LiveChannel } from '../routing/directory.ts'
import type { DisabledKeys } from '../settings/other-info.ts'
import { type MultiKeyMode, parseSettings } from '../settings/settings.ts'
import { splitKeys } from './keys.ts'

/** Maximum number of random draws among all usable keys. Afterward, `randomKey` draws among the allowed keys. */
const DRAWS_MAX = 8
const DIGEST_LENGTH = 12

/** Identifies one of a channel's keys without its text. */
export interface KeyName {
  /** Digest of the key. It does not change when other keys are added or removed. */
  readonly digest: string
  /** Position in the key list, starting at 1. */
  readonly index: number
}

/** The keys of a channel with a multi-key mode, which may be a single key. */
export interface KeyRing {
  readonly mode: MultiKeyMode
  /** One copy of the channel per key. All copies share the ring. */
  readonly all: readonly KeyedChannel[]
  /** Keys that are not disabled; all keys if every key is disabled. */
  readonly usable: readonly KeyedChannel[]
  /** The keys in clear text. The relay removes them from messages of the upstream. */
  readonly texts: readonly string[]
  /** Index of the next key in `usable`, for polling mode. */
  nextIndex: number
}
type KeyedChannel = LiveChannel & { readonly keyName: KeyName }

/** Returns a short digest of a key, which depends on the master key. */
export function keyDigest(secrets: Pick<Secrets, 'digest'>, key: string): string {
  return secrets.digest(key).slice(0, DIGEST_LENGTH)
}

/** Returns the digests of a channel's keys in order. Returns an empty list if the channel has no multi-key mode. */
export function digestsOf(
  { setting, key }: { setting: string; key: string },
  secrets: Pick<Secrets, 'open' | 'digest'>,
): string[] {
  return parseSettings(setting).multiKeyMode ? digestsIn(secrets.open(key), secrets) : []
}

/** Returns the digests of the distinct keys in a text, which has one key per line. */
export function digestsIn(keys: string, secrets: Pick<Secrets, 'digest'>): string[] {
  return [...new Set(splitKeys(keys))].map((key) => keyDigest(secrets, key))
}

/** Returns the channel with a ring of all keys in `channel.key`. The `key` of the result is the first usable key. */
export function withRing(
  channel: LiveChannel,
  { mode, disabledKeys, secrets }: { mode: MultiKeyMode; disabledKeys: DisabledKeys; secrets: Pick<Secrets, 'digest'> },
): LiveChannel {
  const all: KeyedChannel[] = []
  const usable: KeyedChannel[] = []
  const keys = splitKeys(channel.key)
  const ring: KeyRing = { mode, all, usable, texts: keys, nextIndex: 0 }
  for (const [at, key] of keys.entries()) {
    const keyed = { ...channel, key, ring, keyName: { digest: keyDigest(secrets, key), index: at + 1 } }
    all.push(keyed)
    if (!Object.hasOwn(disabledKeys, keyed.keyName.digest)) usable.push(keyed)
  }
  if (usable.length === 0) usable.push(...all)
  const [first] = usable
  return first ? { ...channel, key: first.key, ring } : channel
}

/**
 * Returns the channel with the key for an attempt. The ring's mode chooses among the keys that `isAllowed` allows.
 * Returns the channel itself if it has no ring, and undefined if no key is allowed. `random` returns numbers uniform in
 * [0, 1).
 */
export function chooseKey(
  channel: LiveChannel,
  isAllowed: (digest: string) => boolean,
  random: () => number,
): LiveChannel | undefined {
  const { ring } = channel
  if (!ring) return channel
  const { usable } = ring
  return ring.mode === 'polling' ? nextKey(ring, isAllowed) : randomKey(usable, isAllowed, random)
}

function nextKey(ring: KeyRing, isAllowed: (digest: string) => boolean): KeyedChannel | undefined {
  const { usable } = ring
  for (let step = 0; step < usable.length; step++) {
    const at = (ring.nextIndex + step) % usable.length
    const keyed = usable[at]
    if (!keyed || !isAllowed(keyed.keyName.digest)) continue
    ring.nextIndex = (at + 1) % usable.length
    return keyed
  }
  return undefined
}

function randomKey(
  usable: readonly KeyedChannel[],
  isAllowed: (digest: string) => boolean,
  random: () => number,
): KeyedChannel | undefined {
  for (let draw = 0; draw < Math.min(DRAWS_MAX, usable.length); draw++) {
    const keyed = usable[Math.floor(random() * usable.length)]
    if (keyed && isAllowed(keyed.keyName.digest)) return keyed
  }
  const allowedKeys = usable.filter(({ keyName }) => isAllowed(keyName.digest))
  return allowedKeys[Math.floor(random() * allowedKeys.length)]
}

/**
 * Returns the channel with the key that created a task, file, batch or other object of the upstream, because only this
 * key may have access to the object. Returns the channel unchanged if it has no key with this digest.
 */
export function withStoredKey(channel: LiveChannel, digest: string): LiveChannel {
  return (digest !== '' && channelWithKey(channel, digest)) || channel
}

/** Returns the channel with the key of this digest, even if it is disabled, or undefined if there is no such key. */
export function channelWithKey(channel: LiveChannel, digest: string): LiveChannel | undefined {
  return channel.ring?.all.find(({ keyName }) => keyName.digest === digest)
}
