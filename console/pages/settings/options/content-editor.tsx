import Input, { type TextAreaProps } from '@arco-design/web-react/es/Input'
import Tabs from '@arco-design/web-react/es/Tabs'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  /** Properties for the label and state of the field. */
  fieldProps: Pick<TextAreaProps, 'aria-label' | 'aria-invalid' | 'aria-describedby' | 'status'>
  text: string
  placeholder: string
  onChange: (text: string) => void
  preview: ReactNode
}

/** An input for a long text, with a preview in a second tab. */
export function ContentEditor({ fieldProps, text, placeholder, onChange, preview }: Props) {
  const { t } = useTranslation()
  return (
    <Tabs type="rounded" size="small" destroyOnHide>
      <Tabs.TabPane key="edit" title={t('option.edit')}>
        <Input.TextArea
          {...fieldProps}
          value={text}
          onChange={onChange}
          placeholder={placeholder}
          autoSize={{ minRows: 6, maxRows: 20 }}
        />
      </Tabs.TabPane>
      <Tabs.TabPane key="preview" title={t('option.preview')}>
        <div className="option-preview">
          {text.trim() === '' ? <p className="panel-note">{t('option.previewEmpty')}</p> : preview}
        </div>
      </Tabs.TabPane>
    </Tabs>
  )
}
