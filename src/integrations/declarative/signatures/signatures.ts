import type { SignatureName } from '../language/manifest';
import { awsV4 } from './aws-v4';
import { edgegrid } from './edgegrid';
import { ovh } from './ovh';
import type { Signature } from './signature';

/** Every signature that the files of the build can name. */
export const SIGNATURES: Readonly<Record<SignatureName, Signature>> = { aws_v4: awsV4, edgegrid, ovh };
