import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { usableModels } from '../../core/channels/routing/usable-models.ts'
import { MODEL_PRESETS } from '../../core/channels/types/catalog.ts'
import { Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

const Names = Type.Array(Type.String())

export const modelListRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit, directory }) => {
  const user = describeRoutes('models', 'user')
  const usable = user('Models that an enabled channel serves for a group available to the caller', {
    reply: Envelope(Names),
  })
  app.get('/api/user/models', usable, async ({ actor }) => {
    return ok(await usableModels({ ...toolkit, directory }, actor))
  })

  const presets = user('Built-in model names by kind of channel', {
    reply: Type.Object({
      success: Type.Boolean(),
      message: Type.Optional(Type.String()),
      data: Type.Optional(Type.Record(Type.String(), Names)),
    }),
  })
  app.get('/api/models', presets, async () => ({ success: true, data: MODEL_PRESETS }))
}
