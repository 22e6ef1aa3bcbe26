import { type Static, Type } from 'typebox'
import { type Actor, ROLE } from '../actor.ts'
import { CHANNEL_STATUS } from '../channels/channel.ts'
import type { ChannelDirectory } from '../channels/routing/directory.ts'
import { objectIn } from '../channels/settings/other-info.ts'
import type { Database } from '../db/database.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Pricing } from '../pricing/pricing.ts'

const STEP_NAMES = ['channel', 'test', 'price', 'key', 'request', 'retries', 'address'] as const
type FirstStepName = (typeof STEP_NAMES)[number]

/** The first steps, and which are done. Root's steps set up the gateway. Other users need a key and a first request. */
export const FirstSteps = Type.Object(
  {
    steps: Type.Array(
      Type.Object({
        name: Type.Unsafe<FirstStepName>({ type: 'string', enum: [...STEP_NAMES] }),
        done: Type.Boolean(),
      }),
      { description: 'in order; root has additional steps' },
    ),
    channel_id: Type.Integer({ description: 'for root: the newest enabled channel; 0 for none' }),
    unpriced_models: Type.Array(Type.String(), {
      description: 'for root: models of enabled channels that have no price; at most 20',
    }),
    token_id: Type.Integer({ description: 'the newest enabled token of the caller; 0 for none' }),
  },
  { title: 'FirstSteps' },
)
export type FirstSteps = Static<typeof FirstSteps>

/** Maximum length of `unpriced_models`. */
const UNPRICED_MAX = 20
/** Maximum number of channels, and of models, to check. A gateway with more is not new. */
const CHECKED_MAX = 500

interface FirstStepsParts {
  db: Database
  options: Options
  pricing: Pick<Pricing, 'find'>
  directory: Pick<ChannelDirectory, 'groupsByModel'>
}

/** Returns the first steps of the whole gateway for root, and of the actor's account for other users. */
export async function firstStepsOf(parts: FirstStepsParts, actor: Actor): Promise<FirstSteps> {
  const { db } = parts
  const token = await db
    .reader('tokens')
    .where({ user_id: actor.id, status: 1 })
    .whereNull('deleted_at')
    .orderBy('id', 'desc')
    .first('id')
  const tokenId = Number(token?.id ?? 0)
  if (actor.role < ROLE.root) {
    const user = await db.reader('users').where({ id: actor.id }).first('request_count')
    const steps = [
      { name: 'key' as const, done: tokenId > 0 },
      { name: 'request' as const, done: Number(user?.request_count ?? 0) > 0 },
    ]
    return { steps, channel_id: 0, unpriced_models: [], token_id: tokenId }
  }
  return stepsOfGateway(parts, tokenId)
}

async function stepsOfGateway(
  { db, options, pricing, directory }: FirstStepsParts,
  tokenId: number,
): Promise<FirstSteps> {
  const channels: { id: number; test_time: number; response_time: number; other_info: string }[] = await db
    .reader('channels')
    .where({ status: CHANNEL_STATUS.enabled })
    .orderBy('id', 'desc')
    .limit(CHECKED_MAX)
    .select('id', 'test_time', 'response_time', 'other_info')
  const requested = await db.reader('users').where('request_count', '>', 0).first('id')
  const { unpriced, isAnyPriced } = await pricesOf({ pricing, directory })
  const isRequested = requested !== undefined
  const isTested = channels.some(
    ({ test_time, response_time, other_info }) =>
      Number(test_time) > 0 && Number(response_time) > 0 && objectIn(other_info).test_failure === undefined,
  )
  return {
    steps: [
      { name: 'channel', done: channels.length > 0 },
      // A served request also proves that a channel works.
      { name: 'test', done: isTested || isRequested },
      { name: 'price', done: isAnyPriced && unpriced.length === 0 },
      { name: 'key', done: tokenId > 0 || isRequested },
      { name: 'request', done: isRequested },
      { name: 'retries', done: options.get(OPTIONS.RetryTimes) > 0 },
      { name: 'address', done: options.get(OPTIONS.ServerAddress) !== '' },
    ],
    channel_id: channels[0]?.id ?? 0,
    unpriced_models: unpriced.slice(0, UNPRICED_MAX),
    token_id: tokenId,
  }
}

async function pricesOf({ pricing, directory }: Pick<FirstStepsParts, 'pricing' | 'directory'>) {
  const unpriced: string[] = []
  let isAnyPriced = false
  for (const [model, groups] of [...directory.groupsByModel()].slice(0, CHECKED_MAX)) {
    if (await pricing.find({ model, group: groups[0] ?? '' })) isAnyPriced = true
    else unpriced.push(model)
  }
  return { unpriced, isAnyPriced }
}
