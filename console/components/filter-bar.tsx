import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import { IconSearch } from '@arco-design/web-react/icon'
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNarrow } from '../layout/narrow.ts'
import './filter-bar.css'

interface Props<Name extends string> {
  /** The text fields: name of the filter, and what it is called. */
  fields: readonly { name: Name; label: string }[]
  values: Record<Name, string>
  onSearch: (values: Record<Name, string>) => void
  /** Selects and the like, which apply at once. */
  children?: ReactNode
  /** Shown as a button while something is filtered. */
  onClear?: (() => void) | undefined
}

/** More fields than these would push the list itself off a phone's screen. */
const NARROW_FIELDS_MAX = 3

/** Text filters that are applied together, by Enter or by the button. */
export function FilterBar<Name extends string>({ fields, values, onSearch, children, onClear }: Props<Name>) {
  const { t } = useTranslation()
  const narrow = useNarrow()
  const [open, setOpen] = useState(false)
  // Where it differs from what the address says; which is behind for a moment when the page is drawn anew for it.
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>({})
  const texts = fields.map(({ name }) => [name, values[name]] as const)
  // The texts alone: who chooses from a select has not done with typing.
  const applied = JSON.stringify(texts)
  const known = useRef(values)
  // What is on its way into the address: seeing it there is no news, and more may have been typed since.
  const sent = useRef<Partial<Record<Name, string>>>({})
  const follow = useEffectEvent(() => {
    const changed = texts.filter(([name, text]) => text !== known.current[name])
    known.current = values
    const news = changed.filter(([name, text]) => text !== sent.current[name])
    for (const [name] of changed) delete sent.current[name]
    if (news.length > 0) setTyped((typed) => ({ ...typed, ...Object.fromEntries(news) }))
  })
  // The address may change by itself: back, or a link.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what is to be followed
  useEffect(follow, [applied])

  const shown = (name: Name) => typed[name] ?? values[name]

  function send(texts: Partial<Record<Name, string>>) {
    sent.current = texts
    setTyped(texts)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const trimmed = Object.fromEntries(fields.map(({ name }) => [name, shown(name).trim()])) as Record<Name, string>
    send(trimmed)
    onSearch({ ...values, ...trimmed })
  }

  function clear() {
    send(Object.fromEntries(fields.map(({ name }) => [name, ''])) as Record<Name, string>)
    onClear?.()
  }

  const foldable = narrow && fields.length > NARROW_FIELDS_MAX
  const folded = foldable && !open
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is younger than browsers that this must work in
    <form className="filter-bar" role="search" aria-label={t('table.filters')} onSubmit={submit}>
      {(folded ? fields.slice(0, 1) : fields).map(({ name, label }) => (
        <Input
          key={name}
          value={shown(name)}
          onChange={(text) => setTyped((typed) => ({ ...typed, [name]: text }))}
          placeholder={label}
          aria-label={label}
          className="filter-text"
          allowClear
        />
      ))}
      {!folded && children}
      <Button type="primary" htmlType="submit" icon={<IconSearch />}>
        {t('action.search')}
      </Button>
      {foldable && (
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'table.fewerFilters' : 'table.moreFilters')}
        </Button>
      )}
      {onClear && (
        <Button type="text" onClick={clear}>
          {t('table.clearFilters')}
        </Button>
      )}
    </form>
  )
}
