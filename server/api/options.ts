import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { GatewayError } from '../../core/errors.ts'
import { textIn } from '../../core/messages/texts.ts'
import { findOption, OPTIONS } from '../../core/options/registry.ts'
import { answerError, apiLanguageOf, Done, done, Envelope, messageFor, ok, reportedError } from './envelope.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

const Option = Type.Object({
  key: Type.String(),
  value: Type.String({ description: 'always text' }),
  default: Type.String({ description: 'value used while none is stored' }),
  initial: Type.Optional(Type.String({ description: 'value that a new database stores; absent: none' })),
})
const Change = Type.Object({ key: Type.String(), value: Type.String(), was: Type.Optional(Type.String()) })
const CHANGES_MAX = 1000

export const optionRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { options } }) => {
  const root = describeRoutes('options', 'root')
  const list = root('Every option with its effective value, without secrets', { reply: Envelope(Type.Array(Option)) })
  app.get('/api/option/', list, async ({ actor }) =>
    ok(options.list(actor).map((row) => ({ ...row, ...defaultsOf(row.key) }))),
  )

  const filled = root('The names of the secret options that have a value', {
    reply: Envelope(Type.Array(Type.String())),
  })
  app.get('/api/option/secrets', filled, async ({ actor }) => ok(options.filledSecrets(actor)))

  const reset = root('Deletes the operator’s ModelRatio', { reply: Done })
  app.post('/api/option/rest_model_ratio', reset, async (request) => {
    await options.reset(request.actor, [OPTIONS.ModelRatio.key])
    return { ...done, message: textIn(apiLanguageOf(request), 'reply.modelRatioReset') }
  })

  const resetSome = root('Deletes stored values, so that the defaults apply', {
    body: Type.Object({ keys: Type.Array(Type.String(), { minItems: 1, maxItems: CHANGES_MAX }) }),
    reply: Done,
  })
  app.post('/api/option/reset', resetSome, async ({ actor, body }) => {
    await options.reset(actor, body.keys)
    return done
  })

  const change = root('Saves several options, all or none', {
    description: 'With `was`, an option is saved only if its current value equals `was`.',
    body: Type.Object({ changes: Type.Array(Change, { minItems: 1, maxItems: CHANGES_MAX }) }),
    reply: Done,
  })
  app.put('/api/option/batch', change, async ({ actor, body }) => {
    await options.change(actor, body.changes)
    return done
  })

  const save = {
    tags: ['options'],
    summary: 'Saves one option',
    description:
      'Without `value`, a secret option stays unchanged, and any other option is cleared. A message with success is a warning: the text was stored, but the default applies. With `was`, the option is saved only if its current value equals `was`.',
    body: Type.Object({ key: Type.String(), value: Type.Optional(Type.String()), was: Type.Optional(Type.String()) }),
    response: { 200: Done, 400: { description: 'The body is not {key, value} of texts', ...Done } },
  }
  app.put(
    '/api/option/',
    { config: { access: 'root' }, schema: save, errorHandler: answerUnreadable },
    async (request) => {
      const { actor, body } = request
      const { key, value, was } = body
      if (value !== undefined && was !== undefined) await options.change(actor, [{ key, value, was }])
      else await options.set(actor, key, value)
      const warning = warningOf(body.key, body.value)
      return warning ? { ...done, message: messageFor(warning, request) } : done
    },
  )
}

/**
 * Returns the reason why a stored text has no effect, or undefined. Such texts are stored, because forms of clients
 * save after each keystroke.
 */
function warningOf(key: string, value = ''): GatewayError | undefined {
  try {
    findOption(key)?.checkEffect?.(value)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

/** Sends status 400 for a malformed body. Only this route documents this status. */
function answerUnreadable(error: FastifyError | GatewayError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = reportedError(error)
  if (!refusal || error instanceof GatewayError) return answerError(error, request, reply)
  const invalidInput = new GatewayError('INVALID_INPUT', { reason: messageFor(refusal, request) })
  return reply.code(400).send({ success: false, message: messageFor(invalidInput, request) })
}

function defaultsOf(key: string): Pick<Static<typeof Option>, 'default' | 'initial'> {
  const { default: standard = '', initial } = findOption(key) ?? {}
  return { default: standard, ...(initial !== undefined && { initial }) }
}
