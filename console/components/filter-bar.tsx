import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import { IconFilter, IconSearch } from '@arco-design/web-react/icon'
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNarrow } from '../layout/narrow.ts'
import './filter-bar.css'

interface Props<Name extends string> {
  /** The text fields, each with the name of its filter and a label. */
  fields: readonly { name: Name; label: string }[]
  values: Record<Name, string>
  onSearch: (values: Record<Name, string>) => void
  /** Selects and other filters that apply immediately. */
  children?: ReactNode
  /** Number of active filters, which is shown on phones. Absent: the number of text fields that are not empty. */
  count?: number
  /** Clears all filters. Without `onClear`, there is no clear button. */
  onClear?: (() => void) | undefined
}

/** Text filters, which Enter or the search button applies together. On phones, the filters are behind a button. */
export function FilterBar<Name extends string>({ fields, values, onSearch, children, count, onClear }: Props<Name>) {
  const { t } = useTranslation()
  const narrow = useNarrow()
  const [open, setOpen] = useState(false)
  // The texts in the fields. The texts in the URL may differ, because they change only after a search and a rerender.
  const [drafts, setDrafts] = useState<Partial<Record<Name, string>>>({})
  const texts = fields.map(({ name }) => [name, values[name]] as const)
  // Contains only text filters, so that a choice in a select does not discard typed text.
  const applied = JSON.stringify(texts)
  const activeCount = count ?? texts.filter(([, text]) => text !== '').length
  const lastValues = useRef(values)
  // The texts of the last search. When these texts appear in the URL, keep the text that the user has typed since then.
  const lastSearch = useRef<Partial<Record<Name, string>>>({})
  const followUrl = useEffectEvent(() => {
    const changedTexts = texts.filter(([name, text]) => text !== lastValues.current[name])
    lastValues.current = values
    const external = changedTexts.filter(([name, text]) => text !== lastSearch.current[name])
    for (const [name] of changedTexts) delete lastSearch.current[name]
    if (external.length > 0) setDrafts((drafts) => ({ ...drafts, ...Object.fromEntries(external) }))
  })
  // The URL may also change because of the back button or a link.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the applied filters change
  useEffect(followUrl, [applied])

  const textOf = (name: Name) => drafts[name] ?? values[name]

  function send(textFor: (name: Name) => string): Record<Name, string> {
    const texts = Object.fromEntries(fields.map(({ name }) => [name, textFor(name)])) as Record<Name, string>
    lastSearch.current = texts
    setDrafts(texts)
    return texts
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    onSearch({ ...values, ...send((name) => textOf(name).trim()) })
  }

  function clear() {
    send(() => '')
    onClear?.()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: some supported browsers lack <search>
    <form className="filter-bar" role="search" aria-label={t('table.filters')} onSubmit={submit}>
      {narrow && (
        <Button icon={<IconFilter />} aria-expanded={open} onClick={() => setOpen(!open)}>
          {activeCount > 0 ? t('table.filtersOn', { count: activeCount }) : t('table.filters')}
        </Button>
      )}
      {(!narrow || open) && (
        <>
          {fields.map(({ name, label }) => (
            <Input
              key={name}
              value={textOf(name)}
              onChange={(text) => setDrafts((drafts) => ({ ...drafts, [name]: text }))}
              placeholder={label}
              aria-label={label}
              className="filter-text"
              allowClear
            />
          ))}
          {children}
          {fields.length > 0 && (
            <Button type="primary" htmlType="submit" icon={<IconSearch />}>
              {t('action.search')}
            </Button>
          )}
          {onClear && (
            <Button type="text" onClick={clear}>
              {t('table.clearFilters')}
            </Button>
          )}
        </>
      )}
    </form>
  )
}
