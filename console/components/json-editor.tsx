import Input from '@arco-design/web-react/es/Input'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { lazy, Suspense } from 'react'
import './json-editor.css'

export interface JsonEditorProps {
  value?: string
  onChange?: (text: string) => void
  onBlur?: () => void
  /** That of the field: its label then names the editor, and leads to it. */
  id?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
  placeholder?: string
  readOnly?: boolean
  disabled?: boolean
  /** Set by the form's item while its rule is not met. */
  error?: boolean
}

// After an update of the gateway its code may be gone: what was typed into the page must not go with it.
const JsonCode = lazy(() => import('./json-code.tsx').catch(() => ({ default: PlainJson })))

/** A form control for JSON text: colours, marks of what is wrong, and Tab leaves it. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense fallback={<JsonLoading />}>
      <JsonCode {...props} />
    </Suspense>
  )
}

/** Takes JSON without colours and marks. */
function PlainJson({ value = '', error, ...props }: JsonEditorProps) {
  return (
    <Input.TextArea
      {...props}
      {...(error && { status: 'error' as const })}
      className="json-plain"
      value={value}
      autoSize={{ minRows: 4, maxRows: 20 }}
      spellCheck={false}
    />
  )
}

/** Stands in for an editor that is not there yet. */
export function JsonLoading() {
  return <Skeleton className="json-editor-loading" animation text={{ rows: 4, width: '100%' }} />
}
