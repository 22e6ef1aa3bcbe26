import { readCommandLine } from '../cli/reference/command-line.ts'
import { apiCoverage } from './api-coverage.ts'
import { callTypes } from './call-types.ts'
import { channelTypesPage } from './channel-types.ts'
import { markdownOf } from './cli-markdown.ts'
import { configurationSchema } from './configuration-schema.ts'
import { manOf, nounManPages } from './man.ts'
import { replyShapes } from './reply-shapes.ts'
import { servedDocument } from './served-document.ts'

const program = await readCommandLine()
const document = await servedDocument()

/** The text of each generated file, by path. */
export const generatedFiles: ReadonlyMap<string, string> = new Map([
  ['docs/cli.md', markdownOf(program)],
  ['man/tollgate.1', manOf(program)],
  ...[...nounManPages(program)].map(([name, page]) => [`man/${name}`, page] as const),
  ['docs/channel-types.md', channelTypesPage()],
  ['docs/config.schema.json', configurationSchema()],
  ['docs/api-coverage.md', await apiCoverage(document)],
  ['core/api/schema.d.ts', await callTypes(document)],
  ['cli/remote/replies.ts', await replyShapes(document)],
])
