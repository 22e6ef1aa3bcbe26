import Input from '@arco-design/web-react/es/Input'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { lazy, Suspense } from 'react'
import './json-editor.css'

export interface JsonEditorProps {
  value?: string
  onChange?: (text: string) => void
  onBlur?: () => void
  /** Id of the form field. The `label` element for this id names the editor; a click on it focuses the editor. */
  id?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
  placeholder?: string
  readOnly?: boolean
  disabled?: boolean
  /** Whether the value is invalid. A form item sets this property. */
  error?: boolean
}

// If the editor's code fails to load, such as after a gateway update, a plain input replaces the editor. An error here
// would replace the whole page, and the user would lose the typed text.
const JsonCode = lazy(() => import('./json-code.tsx').catch(() => ({ default: PlainJson })))

/** A form control for JSON text, with syntax colors and error marks. Tab moves the focus to the next control. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense fallback={<JsonLoading />}>
      <JsonCode {...props} />
    </Suspense>
  )
}

/** A JSON input without colors and error marks. */
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

/** Placeholder while the editor loads. */
export function JsonLoading() {
  return <Skeleton className="json-editor-loading" animation text={{ rows: 4, width: '100%' }} />
}
