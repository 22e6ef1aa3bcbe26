import Button from '@arco-design/web-react/es/Button'
import Form from '@arco-design/web-react/es/Form'
import Tag from '@arco-design/web-react/es/Tag'
import { memo, type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { OptionTexts } from '../../../api/options.ts'
import type { AreaName, SettingsArea } from './area.ts'
import { OptionItem } from './option-item.tsx'
import { matchesSearch, noteOf } from './option-names.ts'
import { type AreaForm, useArea } from './use-area.ts'

/** Content of an area that is not a plain field. */
export interface AreaParts {
  /** Content that replaces the fields. */
  body?: (form: AreaForm) => ReactNode
  /** Buttons next to the save button. */
  buttons?: (form: AreaForm) => ReactNode
  /** Content below the form. */
  after?: ReactNode
}

interface Props extends AreaParts {
  area: SettingsArea
  stored: OptionTexts
  /** Keys of the secrets that have a value; undefined if unknown. */
  secrets: ReadonlySet<string> | undefined
  /** The search text. Only matching options are shown. */
  search: string
  onDirty: (name: AreaName, dirty: boolean) => void
}

/** The card of an area, with its options and a button that saves the changed options. */
export const AreaCard = memo(function AreaCard({
  area,
  stored,
  secrets,
  search,
  onDirty,
  body,
  buttons,
  after,
}: Props) {
  const { t, i18n } = useTranslation()
  const form = useArea(area, stored, secrets)
  const { name } = area
  const { dirty } = form
  const title = t(`option.area.${name}`)
  const note = noteOf(t, i18n, name)
  // If the search matches the title of the area, all options of the area are shown.
  const titleMatches = search === '' || title.toLowerCase().includes(search.trim().toLowerCase())
  const matches = area.fields.filter((field) => titleMatches || matchesSearch(t, i18n, field, search))

  useEffect(() => onDirty(name, dirty), [name, dirty, onDirty])
  useEffect(() => () => onDirty(name, false), [name, onDirty])

  return (
    <section className="panel area" id={name} aria-labelledby={`area-${name}`} hidden={matches.length === 0}>
      <div className="area-head">
        <h2 id={`area-${name}`}>{title}</h2>
        {dirty && <Tag color="orange">{t('option.unsaved')}</Tag>}
      </div>
      {note && <p className="panel-note">{note}</p>}
      <Form layout="vertical" className="area-form" onSubmit={() => void form.save()}>
        {body ? (
          body(form)
        ) : (
          <div className="area-fields">
            {area.fields.map((field) => (
              <OptionItem
                key={field.key}
                field={field}
                form={form}
                hidden={!matches.includes(field) && !form.problem(field)}
              />
            ))}
          </div>
        )}
        <div className="area-buttons">
          {/* The button only looks disabled. A click on it reports that nothing has changed. */}
          <Button
            type="primary"
            htmlType="submit"
            loading={form.saving}
            aria-disabled={!dirty}
            className={dirty ? '' : 'arco-btn-disabled'}
          >
            {t('option.save', { area: title })}
          </Button>
          {dirty && <Button onClick={form.discard}>{t('option.discard')}</Button>}
          {buttons?.(form)}
        </div>
      </Form>
      {after}
    </section>
  )
})
