import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { GatewayError } from '../../../core/errors.ts'
import { updateBalance } from '../../channels/balance.ts'
import { guardFor } from '../../channels/guard.ts'
import { channelTestJob } from '../../channels/jobs.ts'
import { testChannel } from '../../relay/channel-test.ts'
import { apiLanguageOf, Done, done, ok } from '../envelope.ts'
import { AnswerMode, IdParams } from '../fields.ts'
import type { ChannelParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'

const TestResult = Type.Object(
  {
    success: Type.Boolean(),
    message: Type.String({ description: 'error message' }),
    time: Type.Number({ description: 'seconds' }),
    model: Type.String(),
  },
  { description: 'result of the test, if answer=record' },
)

export const channelCheckRoutes: FastifyPluginAsyncTypebox<ChannelParts> = async (
  app,
  { toolkit, config: settings, pendingCalls, rounds, jobs, rootMails },
) => {
  const admin = describeRoutes('channel', 'admin')
  const test = admin('Sends one small request through a channel', {
    params: IdParams,
    querystring: Type.Object({
      model: Type.Optional(Type.String({ maxLength: 255 })),
      key: Type.Optional(Type.String({ maxLength: 64, description: 'digest of one of several keys' })),
      ...AnswerMode,
    }),
    reply: Type.Object({
      ...Done.properties,
      time: Type.Optional(Type.Number({ description: 'seconds' })),
      data: Type.Optional(TestResult),
    }),
    config: { acts: true },
  })
  app.get('/api/channel/test/:id', test, async (request) => {
    const { actor, params, query } = request
    const { answer, ...options } = query
    const result = await pendingCalls.track(
      testChannel(toolkit, actor, params.id, {
        ...options,
        language: apiLanguageOf(request),
        signal: pendingCalls.signal,
        guard: guardFor(actor, settings),
      }),
    )
    if (answer) return ok(result)
    const { success, message, time } = result
    return { success, message, time }
  })

  const testAll = admin('Starts a test of all channels, one after the other', { reply: Done, config: { acts: true } })
  app.get('/api/channel/test', testAll, async ({ actor }) => {
    const job = channelTestJob(rounds, { mails: rootMails, guard: guardFor(actor, settings) })
    const started = await jobs.start(job, { now: true })
    if (started === 'running') throw new GatewayError('CHANNEL_TEST_RUNNING')
    await toolkit.audit.writeAlone(actor, { action: 'job.start', object: 'job:channel-test' })
    return done
  })

  const balance = admin('Queries the balance of the account at the provider', {
    params: IdParams,
    reply: Type.Object({
      ...Done.properties,
      balance: Type.Optional(Type.Number({ description: "in the provider's currency" })),
    }),
    config: { acts: true },
  })
  app.get('/api/channel/update_balance/:id', balance, async ({ actor, params }) => ({
    ...done,
    balance: await pendingCalls.track(updateBalance(toolkit, actor, params.id, { guard: guardFor(actor, settings) })),
  }))

  const balances = admin(
    'Queries the balances of all enabled channels; disables channels and keys with an empty balance',
    { reply: Done, config: { acts: true } },
  )
  app.get('/api/channel/update_balance', balances, async ({ actor }) => {
    await toolkit.audit.writeAlone(actor, { action: 'channel.balances', object: 'channel' })
    await pendingCalls.track(rounds.updateBalances(pendingCalls.signal, { guard: guardFor(actor, settings) }))
    return done
  })
}
