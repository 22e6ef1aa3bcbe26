import type { Secrets } from '../secrets.ts'
import type { LiveChannel } from './directory.ts'
import { splitKeys } from './keys.ts'
import type { SetAsideKeys } from './other-info.ts'
import type { MultiKeyMode } from './settings.ts'

/** Draws that may hit a refused key, before those that are left are counted out. */
const DRAWS_MAX = 8
const DIGEST_LENGTH = 12

/** By what one of a channel's keys is known, without its text. */
export interface KeyName {
  /** Stays the same when other keys come and go. */
  readonly digest: string
  /** From 1, in the order in which the keys were given. */
  readonly index: number
}

/** The keys of a channel that has several: the channel once for each of them. Shared by all of these. */
export interface KeyRing {
  readonly mode: MultiKeyMode
  readonly all: readonly KeyedChannel[]
  /** Those that are not set aside; all of them when none is left, since then nothing is known to be better. */
  readonly usable: readonly KeyedChannel[]
  /** The keys themselves: what none of the upstream's words may have in them. */
  readonly texts: readonly string[]
  /** Where the round has got to. */
  turn: number
}
export type KeyedChannel = LiveChannel & { readonly keyName: KeyName }

/** What a key is called: no way leads back from it without the master key. */
export function keyDigest(secrets: Pick<Secrets, 'digest'>, key: string): string {
  return secrets.digest(key).slice(0, DIGEST_LENGTH)
}

/** A channel whose `key` has one key in each line, with a ring of them. Its own is the first that can be used. */
export function withRing(
  channel: LiveChannel,
  { mode, setAside, secrets }: { mode: MultiKeyMode; setAside: SetAsideKeys; secrets: Pick<Secrets, 'digest'> },
): LiveChannel {
  const all: KeyedChannel[] = []
  const usable: KeyedChannel[] = []
  const keys = splitKeys(channel.key)
  const ring: KeyRing = { mode, all, usable, texts: keys, turn: 0 }
  for (const [at, key] of keys.entries()) {
    const keyed = { ...channel, key, ring, keyName: { digest: keyDigest(secrets, key), index: at + 1 } }
    all.push(keyed)
    if (!Object.hasOwn(setAside, keyed.keyName.digest)) usable.push(keyed)
  }
  if (usable.length === 0) usable.push(...all)
  const [first] = usable
  return first ? { ...channel, key: first.key, ring } : channel
}

/**
 * The channel with the key that an attempt is to use: by turns or at random, as the channel says, among those that `may` be
 * used; itself when it has only one. Undefined when none may. `random` answers numbers that are uniform in [0, 1): one that
 * repeats them repeats the choice.
 */
export function chooseKey(
  channel: LiveChannel,
  may: (digest: string) => boolean,
  random: () => number,
): LiveChannel | undefined {
  const { ring } = channel
  if (!ring) return channel
  const { usable } = ring
  return ring.mode === 'polling' ? nextKey(ring, may) : randomKey(usable, may, random)
}

function nextKey(ring: KeyRing, may: (digest: string) => boolean): KeyedChannel | undefined {
  const { usable } = ring
  for (let step = 0; step < usable.length; step++) {
    const at = (ring.turn + step) % usable.length
    const keyed = usable[at] as KeyedChannel
    if (!may(keyed.keyName.digest)) continue
    ring.turn = (at + 1) % usable.length
    return keyed
  }
  return undefined
}

function randomKey(
  usable: readonly KeyedChannel[],
  may: (digest: string) => boolean,
  random: () => number,
): KeyedChannel | undefined {
  for (let draw = 0; draw < Math.min(DRAWS_MAX, usable.length); draw++) {
    const keyed = usable[Math.floor(random() * usable.length)] as KeyedChannel
    if (may(keyed.keyName.digest)) return keyed
  }
  const left = usable.filter(({ keyName }) => may(keyName.digest))
  return left[Math.floor(random() * left.length)]
}

/** The channel with the key that began something, which only that key can go on with; with another where it is gone. */
export function sameKey(channel: LiveChannel, digest: string): LiveChannel {
  return (digest !== '' && channelWithKey(channel, digest)) || channel
}

/** The channel with the key of this digest, whether it is set aside or not; undefined when it has no such key. */
export function channelWithKey(channel: LiveChannel, digest: string): LiveChannel | undefined {
  return channel.ring?.all.find(({ keyName }) => keyName.digest === digest)
}
