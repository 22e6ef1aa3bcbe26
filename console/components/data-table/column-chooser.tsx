import Button from '@arco-design/web-react/es/Button'
import Checkbox from '@arco-design/web-react/es/Checkbox'
import Popover from '@arco-design/web-react/es/Popover'
import { IconSettings } from '@arco-design/web-react/icon'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableColumn } from './column.ts'

interface Props<Row> {
  columns: readonly TableColumn<Row>[]
  visible: readonly string[]
  onChange: (keys: string[]) => void
}

export function ColumnChooser<Row>({ columns, visible, onChange }: Props<Row>) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const holder = useRef<HTMLSpanElement>(null)
  const list = useRef<HTMLFieldSetElement>(null)
  const options = columns
    .filter(({ fixedPlace }) => !fixedPlace)
    .map(({ key, title }) => ({ label: title, value: key }))

  useEffect(() => {
    if (open) boxesOf(list.current)[0]?.focus()
  }, [open])

  /**
   * The list is at the end of the page, so Tab would not return to the button. Escape, Tab on the last entry and
   * Shift+Tab on the first entry close the list and focus the button.
   */
  function onKeyDown(event: KeyboardEvent) {
    const boxes = boxesOf(list.current)
    const end = event.shiftKey ? boxes[0] : boxes.at(-1)
    if (event.key !== 'Escape' && !(event.key === 'Tab' && end?.matches(':focus'))) return
    event.preventDefault()
    setOpen(false)
    holder.current?.querySelector('button')?.focus()
  }

  return (
    <span ref={holder}>
      <Popover
        trigger="click"
        position="br"
        popupVisible={open}
        onVisibleChange={setOpen}
        content={
          <fieldset ref={list} className="column-chooser" onKeyDown={onKeyDown}>
            <legend>{t('table.shownColumns')}</legend>
            <Checkbox.Group direction="vertical" options={options} value={[...visible]} onChange={onChange} />
          </fieldset>
        }
      >
        <Button
          icon={<IconSettings />}
          aria-label={t('table.columns')}
          title={t('table.columns')}
          aria-expanded={open}
        />
      </Popover>
    </span>
  )
}

function boxesOf(list: HTMLElement | null): HTMLElement[] {
  return Array.from(list?.querySelectorAll('input') ?? [])
}
