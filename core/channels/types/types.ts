import { ALI_KINDS } from '../kinds/ali.ts'
import { ANTHROPIC_KINDS } from '../kinds/anthropic.ts'
import { APPLICATION_KINDS } from '../kinds/applications.ts'
import { AWS_KINDS } from '../kinds/aws.ts'
import { BAIDU_KINDS } from '../kinds/baidu.ts'
import { COMPATIBLE_KINDS } from '../kinds/compatible.ts'
import { DRAWING_KINDS } from '../kinds/drawing.ts'
import { GOOGLE_KINDS } from '../kinds/google.ts'
import { MUSIC_KINDS } from '../kinds/music.ts'
import { OPEN_MODEL_KINDS } from '../kinds/open-models.ts'
import { OPENAI_KINDS } from '../kinds/openai.ts'
import { RANKING_KINDS } from '../kinds/ranking.ts'
import { TENCENT_KINDS } from '../kinds/tencent.ts'
import { XUNFEI_KINDS } from '../kinds/xunfei.ts'
import { ZHIPU_KINDS } from '../kinds/zhipu.ts'
import type { ChannelType } from './channel-type.ts'
import { UNSERVED_KINDS, type UnservedKind } from './unserved-types.ts'

export type { BalanceSource, BatchApi, ChannelType, Family, TaskKind } from './channel-type.ts'

/** Every type that the relay serves, by number. */
export const CHANNEL_TYPES: readonly ChannelType[] = [
  ...ALI_KINDS,
  ...ANTHROPIC_KINDS,
  ...AWS_KINDS,
  ...BAIDU_KINDS,
  ...COMPATIBLE_KINDS,
  ...DRAWING_KINDS,
  ...GOOGLE_KINDS,
  ...MUSIC_KINDS,
  ...OPENAI_KINDS,
  ...OPEN_MODEL_KINDS,
  ...RANKING_KINDS,
  ...TENCENT_KINDS,
  ...APPLICATION_KINDS,
  ...XUNFEI_KINDS,
  ...ZHIPU_KINDS,
].sort((a, b) => a.type - b.type)

const BY_NUMBER: ReadonlyMap<number, ChannelType> = new Map(CHANNEL_TYPES.map((row) => [row.type, row]))
const UNSERVED_BY_NUMBER = new Map(UNSERVED_KINDS.map((row) => [row.type, row]))
const BY_WORD: ReadonlyMap<string, ChannelType> = new Map(
  CHANNEL_TYPES.flatMap((row) => [row.slug, row.name].map((word): [string, ChannelType] => [word.toLowerCase(), row])),
)

/** Returns a type that the relay serves, else undefined. The relay never chooses channels of other kinds. */
export function findChannelType(type: number): ChannelType | undefined {
  return BY_NUMBER.get(type)
}

/** Returns a kind of the documented API, whether the relay serves it or not. */
export function findAnyType(type: number): ChannelType | UnservedKind | undefined {
  return BY_NUMBER.get(type) ?? UNSERVED_BY_NUMBER.get(type)
}

/** Finds a type that the relay serves, by number, slug or name, ignoring case. */
export function parseChannelType(text: string): ChannelType | undefined {
  const word = text.trim().toLowerCase()
  return /^\d+$/.test(word) ? BY_NUMBER.get(Number(word)) : BY_WORD.get(word)
}
