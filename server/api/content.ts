import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { OPTIONS } from '../../core/options/registry.ts'
import { Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

const TEXTS = {
  '/api/notice': { option: OPTIONS.Notice, summary: 'Announcement, as Markdown' },
  '/api/about': { option: OPTIONS.About, summary: 'The about page: Markdown, HTML or an address' },
  '/api/home_page_content': {
    option: OPTIONS.HomePageContent,
    summary: 'The home page: Markdown, HTML or an address',
  },
}

/** Public texts of the operator. They are empty by default. */
export const contentRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { options } }) => {
  const anyone = describeRoutes('content', 'anyone')
  for (const [path, { option, summary }] of Object.entries(TEXTS)) {
    const schema = anyone(summary, { reply: Envelope(Type.String()) })
    app.get(path, schema, async () => ok(options.get(option)))
  }
}
