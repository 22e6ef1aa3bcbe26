import { defaultSchema } from 'rehype-sanitize'

const { attributes, protocols } = defaultSchema

/** Attributes of any element: none that names, styles, submits or takes the keyboard's focus. */
const EVERYWHERE = [
  'align',
  'alt',
  'colSpan',
  'dir',
  'height',
  'id',
  'lang',
  'open',
  'rowSpan',
  'start',
  'title',
  'width',
]

/** What may stay of Markdown and of the HTML in it: GitHub's list, narrowed, and images that come with the text. */
export const markdownSchema: typeof defaultSchema = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((name) => name !== 'picture' && name !== 'source'),
  attributes: { ...attributes, '*': EVERYWHERE, input: [...(attributes?.input ?? []), 'checked'] },
  protocols: { ...protocols, href: ['http', 'https', 'mailto'], src: ['http', 'https', 'data'] },
  strip: ['script', 'style', 'title', 'textarea', 'template'],
}
