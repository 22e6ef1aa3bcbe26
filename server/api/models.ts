import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { usableModels } from '../../core/channels/routing/usable-models.ts'
import { MODEL_PRESETS } from '../../core/channels/types/catalog.ts'
import { Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'

const tags = ['models']
const config = { access: 'user' } as const
const Names = Type.Array(Type.String())

export const modelListRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit, directory }) => {
  const usable = {
    tags,
    summary: 'Models that an enabled channel serves for a group available to the caller',
    response: { 200: Envelope(Names) },
  }
  app.get('/api/user/models', { config, schema: usable }, async ({ actor }) => {
    return ok(await usableModels({ ...toolkit, directory }, actor))
  })

  const presets = {
    tags,
    summary: 'Built-in model names by kind of channel',
    response: {
      200: Type.Object({
        success: Type.Boolean(),
        message: Type.Optional(Type.String()),
        data: Type.Optional(Type.Record(Type.String(), Names)),
      }),
    },
  }
  app.get('/api/models', { config, schema: presets }, async () => ({ success: true, data: MODEL_PRESETS }))
}
