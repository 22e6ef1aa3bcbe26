import './markdown.css'
import { memo, useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import rehypeHighlight from 'rehype-highlight'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from './code-block.tsx'
import { markdownBlocks } from './markdown-blocks.ts'
import { isElsewhere, isHarmlessImage } from './markdown-image.ts'
import { markdownSchema } from './markdown-schema.ts'
import { RemoteImage } from './remote-image.tsx'

interface Props {
  text: string
  /** The text is not the operator's: pictures of other sites are loaded after a click, by the gateway. */
  foreign?: boolean
}

/** Markdown with sanitised HTML. Load it with `lazy`: it is large. Only the part that changed is read again. */
export default function Markdown({ text, foreign = false }: Props) {
  const options = useOptions()
  const blocks = useMemo(() => markdownBlocks(text), [text])
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text grows at its end, its blocks keep their places.
        <Block key={index} text={block} options={options} foreign={foreign} />
      ))}
    </div>
  )
}

const REMARK: Options['remarkPlugins'] = [remarkGfm]

/** How one text is read. Several stand on a page: what each calls by a name of its own gets a prefix of its own. */
function useOptions(): Options {
  const { t } = useTranslation()
  const prefix = `user-content-${useId()}-`
  return useMemo(
    () => ({
      remarkPlugins: REMARK,
      // The classes of the highlighter are ours: it comes after the sanitiser.
      rehypePlugins: [rehypeRaw, [rehypeSanitize, { ...markdownSchema, clobberPrefix: prefix }], rehypeHighlight],
      remarkRehypeOptions: {
        clobberPrefix: '', // else there are two
        footnoteLabel: t('component.footnotes'),
        footnoteBackLabel: (reference: number) => t('component.footnoteBack', { number: reference + 1 }),
      },
      // The sanitiser has judged every address already, and lets images in that come with the text. It renames what links
      // within the text lead to, and not these links.
      urlTransform: (address) => (address.startsWith('#') ? `#${prefix}${address.slice(1)}` : address),
    }),
    [prefix, t],
  )
}

const Block = memo(function Block({ text, options, foreign }: Required<Props> & { options: Options }) {
  return (
    <ReactMarkdown {...options} components={foreign ? FOREIGN_COMPONENTS : COMPONENTS}>
      {text}
    </ReactMarkdown>
  )
})

const COMPONENTS: Components = {
  a({ node: _, href, children, ...rest }) {
    const within = href?.startsWith('#')
    return (
      <a {...rest} href={href} {...(!within && { target: '_blank', rel: 'noopener noreferrer' })}>
        {children}
      </a>
    )
  },
  img({ node: _, src, alt, ...rest }) {
    if (typeof src !== 'string' || !isHarmlessImage(src)) return alt
    return <img {...rest} src={src} alt={alt ?? ''} loading="lazy" referrerPolicy="no-referrer" />
  },
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  input: ({ checked }) => <TaskBox done={checked ?? false} />,
  table: ({ node: _, ...rest }) => (
    <div className="scroll">
      <table {...rest} />
    </div>
  ),
}

const FOREIGN_COMPONENTS: Components = {
  ...COMPONENTS,
  img({ node: _, src, alt = '', ...rest }) {
    if (typeof src !== 'string' || !isHarmlessImage(src)) return alt
    return isElsewhere(src) ? <RemoteImage src={src} alt={alt} /> : <img {...rest} src={src} alt={alt} loading="lazy" />
  },
}

function TaskBox({ done }: { done: boolean }) {
  const { t } = useTranslation()
  return (
    <input type="checkbox" disabled checked={done} aria-label={t(done ? 'component.taskDone' : 'component.taskOpen')} />
  )
}
