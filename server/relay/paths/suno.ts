import type { FastifyError, FastifyPluginAsync, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { parseBody } from '../admission/admission.ts'
import { relayLanguageOf, toBodyError } from '../admission/body-refusal.ts'
import type { RunningSubmissions } from '../tasks/running.ts'
import { callerOf } from '../tasks/submission.ts'
import { musicError, type SunoError, sunoRefusal } from '../tasks/suno/refusal.ts'
import { readIds } from '../tasks/suno/submission.ts'
import { type SunoParts, submitMusic } from '../tasks/suno/submit.ts'

const Refusal = Type.Object(
  { code: Type.String(), message: Type.String(), data: Type.Null() },
  { description: "An error in Suno's format" },
)
const described = (summary: string) => ({
  tags: ['relay'],
  summary,
  security: [{ apiKey: [] }],
  response: { 200: { description: '{code: "success", message, data}' }, '4xx': Refusal, '5xx': Refusal },
})

/** The routes for clients of Suno's API. All replies, including errors, use Suno's format. */
export const sunoPaths: FastifyPluginAsync<SunoParts & { submissions: RunningSubmissions; bodyMax: number }> = async (
  app,
  { submissions, bodyMax, ...parts },
) => {
  const { toolkit, logger } = parts
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = toBodyError(error, bodyMax)
    const sunoReply = sunoRefusal(refusal, { requestId: request.id, language: relayLanguageOf(request) })
    if (sunoReply.status === 500) logger.error({ requestId: request.id, err: error }, 'relay failed')
    send(reply, sunoReply)
  })

  app.post<{ Params: { action: string } }>(
    '/suno/submit/:action',
    { schema: described('Creates music (`music`) or a song text (`lyrics`); fetch it when it is done') },
    async (request, reply) => {
      const { action } = request.params
      const answer = await submissions.run((cut) => submitMusic(request, { reply, action, cut }, parts))
      return 'bytes' in answer ? sendJson(reply, answer.bytes) : send(reply, answer)
    },
  )
  app.post(
    '/suno/fetch',
    { schema: described("The user's tasks, by ids"), config: { sender: 'free' } },
    async (request, reply) => {
      const { user } = await callerOf(toolkit, request, { free: true })
      const ids = readIds(parseBody(request.body as Buffer | undefined))
      const tasks = await toolkit.music.listOwn(user.id, ids)
      // As in the documented API, the reply is null if the ids match nothing.
      return success(reply, tasks.length || ids.length === 0 ? tasks : null)
    },
  )
  app.get<{ Params: { id: string } }>(
    '/suno/fetch/:id',
    { schema: described('A task of the user') },
    async (request, reply) => {
      const { user } = await callerOf(toolkit, request, { free: true })
      const task = (await toolkit.music.listOwn(user.id, [request.params.id])).at(-1)
      if (!task) throw musicError('task_not_exist')
      return success(reply, task)
    },
  )
}

const success = (reply: FastifyReply, data: unknown) =>
  sendJson(reply, Buffer.from(JSON.stringify({ code: 'success', message: '', data })))

function send(reply: FastifyReply, { status, body, retryAfterSeconds }: SunoError): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return sendJson(reply.code(status), Buffer.from(JSON.stringify(body)))
}

function sendJson(reply: FastifyReply, bytes: Buffer): FastifyReply {
  // This serializer sends the bytes unchanged, even if the route's schema does not list this reply.
  return reply.type('application/json; charset=utf-8').serializer(String).send(bytes)
}
