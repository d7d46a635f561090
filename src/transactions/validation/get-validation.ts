import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { notFound } from '../../platform/errors/errors';
import { Transaction } from '../record/transaction.entity';
import { type ValidationReportView, validationReportView } from './validation-report.view';

/** The validation report of an e-invoice (decisions 4). */
@Injectable()
export class GetValidation {
  constructor(private readonly em: EntityManager) {}

  /** @throws ApiError 404 `VALIDATION_NOT_AVAILABLE` when it is no e-invoice to which rules apply */
  async get({ uuid }: Transaction): Promise<ValidationReportView> {
    const transaction = await this.em.findOne(Transaction, uuid, { populate: ['validation'] });
    if (!transaction) throw notFound('TRANSACTION_NOT_FOUND'); // deleted after the guard's check
    if (!transaction.validation) throw notFound('VALIDATION_NOT_AVAILABLE');
    return validationReportView(transaction.validation);
  }
}
