import Input from '@arco-design/web-react/es/Input'
import { Field } from '../../components/form/field.tsx'
import { FormDialog } from '../../components/form/form-dialog.tsx'

interface Props {
  title: string
  label: string
  /** The error for an empty field. */
  missing: string
  visible: boolean
  initial?: string
  onSubmit: (text: string) => Promise<unknown>
  onClose: () => void
}

/** A dialog with one text field. */
export function TextDialog({ title, label, missing, visible, initial = '', onSubmit, onClose }: Props) {
  return (
    <FormDialog<{ text: string }>
      title={title}
      visible={visible}
      initialValues={{ text: initial }}
      onSubmit={({ text }) => onSubmit(text.trim())}
      onClose={onClose}
    >
      <Field label={label} field="text" rules={[{ required: true, message: missing }]}>
        <Input maxLength={255} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
