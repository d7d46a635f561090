// cspell:disable
/** More elements and attributes of UBL that EN 16931 does not use; see `unused.ts`. */
export const UBL_UNUSED_LINE = `
Delivery/DeliveryLocation/Address/Country: 378 Name
Delivery/DeliveryParty: 386 MarkCareIndicator, 387 MarkAttentionIndicator, 388 WebsiteURI, 389 LogoReferenceID,
  390 EndpointID, 391 IndustryClassificationCode, 392 PartyIdentification, 393 Language, 394 PostalAddress,
  395 PhysicalLocation, 396 PartyTaxScheme, 397 PartyLegalEntity, 398 Contact, 399 Person, 400 AgentParty,
  401 ServiceProviderParty, 402 PowerOfAttorney, 403 FinancialAccount
PaymentMeans: 411 ID, 413 PaymentChannelCode, 414 InstructionID, 434 CreditAccount, 451 TradeFinancing,
  681 InstructionNote
PaymentMeans/CardAccount: 415 CardTypeCode, 416 ValidityStartDate, 417 ExpiryDate, 418 IssuerID, 419 IssueNumberID,
  420 CV2ID, 421 CardChipCode, 422 ChipApplicationID
PaymentMeans/PayeeFinancialAccount: 424 AliasName, 425 AccountTypeCode, 426 AccountFormatCode, 427 CurrencyCode,
  428 PaymentNote, 433 Country
PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch: 429 Name, 432 Address
PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/FinancialInstitution: 430 Name, 431 Address
PaymentMeans/PaymentMandate: 435 MandateTypeCode, 436 MaximumPaymentInstructionsNumeric, 437 MaximumPaidAmount,
  438 SignatureID, 439 PayerParty, 448 ValidityPeriod, 449 PaymentReversalPeriod, 450 Clause
PaymentMeans/PaymentMandate/PayerFinancialAccount: 440 Name, 441 AliasName, 442 AccountTypeCode,
  443 AccountFormatCode, 444 CurrencyCode, 445 PaymentNote, 446 FinancialInstitutionBranch, 447 Country
PaymentTerms: 452 ID, 453 PaymentMeansID, 454 PrepaidPaymentReferenceID, 455 ReferenceEventCode,
  456 SettlementDiscountPercent, 457 PenaltySurchargePercent, 458 PaymentPercent, 459 Amount,
  460 SettlementDiscountAmount, 461 PenaltyAmount, 462 PaymentTermsDetailsURI, 463 PaymentDueDate,
  464 InstallmentDueDate, 465 InvoicingPartyReference, 466 SettlementPeriod, 467 PenaltyPeriod, 468 ExchangeRate,
  469 ValidityPeriod
AllowanceCharge: 471 ID, 472 PrepaidIndicator, 473 SequenceNumeric, 474 AccountingCostCode, 475 AccountingCost,
  476 PerUnitAmount, 488 TaxTotal, 489 PaymentMeans
AllowanceCharge/TaxCategory: 477 Name, 478 BaseUnitMeasure, 479 PerUnitAmount, 480 TaxExemptionReasonCode,
  481 TaxExemptionReason, 482 TierRange, 483 TierRatePercent
AllowanceCharge/TaxCategory/TaxScheme: 484 Name, 485 TaxTypeCode, 486 CurrencyCode, 487 JurisdictionRegionAddress
TaxTotal: 494 RoundingAmount, 495 TaxEvidenceIndicator, 496 TaxIncludedIndicator
TaxTotal/TaxSubtotal: 497 CalculationSequenceNumeric, 498 TransactionCurrencyTaxAmount, 499 Percent,
  500 BaseUnitMeasure, 501 PerUnitAmount, 502 TierRange, 503 TierRatePercent
TaxTotal/TaxSubtotal/TaxCategory: 504 Name, 505 BaseUnitMeasure, 506 PerUnitAmount, 507 TierRange, 508 TierRatePercent
TaxTotal/TaxSubtotal/TaxCategory/TaxScheme: 509 Name, 510 TaxTypeCode, 511 CurrencyCode, 512 JurisdictionRegionAddress
LegalMonetaryTotal: 514 PayableAlternativeAmount
LINE: 515 UUID, 516 TaxPointDate, 517 AccountingCostCode, 518 PaymentPurposeCode, 519 FreeOfChargeIndicator,
  529 DespatchLineReference, 530 ReceiptLineReference, 531 BillingReference, 548 PricingReference,
  549 OriginatorParty, 550 Delivery, 551 PaymentTerms, 561 TaxTotal, 562 WithholdingTaxTotal, 645 DeliveryTerms,
  646 SubInvoiceLine, 647 ItemPriceExtension
LINE/InvoicePeriod: 520 StartTime, 521 EndTime, 522 DurationMeasure, 523 DescriptionCode, 524 Description
LINE/OrderLineReference: 525 SalesOrderLineID, 526 UUID, 527 LineStatusCode, 528 OrderReference
LINE/DocumentReference: 532 CopyIndicator, 533 UUID, 534 IssueDate, 535 IssueTime, 537 DocumentType, 538 XPath,
  539 LanguageID, 540 LocaleCode, 541 VersionID, 542 DocumentStatusCode, 543 DocumentDescription, 544 Attachment,
  545 ValidityPeriod, 546 IssuerParty, 547 ResultOfVerification
LINE/AllowanceCharge: 552 ID, 553 PrepaidIndicator, 554 SequenceNumeric, 555 AccountingCostCode, 556 AccountingCost,
  557 PerUnitAmount, 558 TaxCategory, 559 TaxTotal, 560 PaymentMeans
LINE/Item: 563 PackQuantity, 564 PackSizeNumeric, 565 CatalogueIndicator, 566 HazardousRiskIndicator,
  567 AdditionalInformation, 568 Keyword, 569 BrandName, 570 ModelName, 581 ManufacturersItemIdentification,
  587 CatalogueItemIdentification, 588 AdditionalItemIdentification, 589 CatalogueDocumentReference,
  590 ItemSpecificationDocumentReference, 595 TransactionConditions, 596 HazardousItem, 619 ManufacturerParty,
  620 InformationContentProviderParty, 621 OriginAddress, 622 ItemInstance, 623 Certificate, 624 Dimension
LINE/Item/BuyersItemIdentification: 571 ExtendedID, 572 BarcodeSymbologyID, 573 PhysicalAttribute,
  574 MeasurementDimension, 575 IssuerParty
LINE/Item/SellersItemIdentification: 576 ExtendedID, 577 BarcodeSymbologyID, 578 PhysicalAttribute,
  579 MeasurementDimension, 580 IssuerParty
LINE/Item/StandardItemIdentification: 582 ExtendedID, 583 BarcodeSymbologyID, 584 PhysicalAttribute,
  585 MeasurementDimension, 586 IssuerParty
LINE/Item/OriginCountry: 591 Name
LINE/Item/CommodityClassification: 592 NatureCode, 593 CargoTypeCode, 594 CommodityCode
LINE/Item/ClassifiedTaxCategory: 597 Name, 598 BaseUnitMeasure, 599 PerUnitAmount, 600 TaxExemptionReasonCode,
  601 TaxExemptionReason, 602 TierRange, 603 TierRatePercent
LINE/Item/ClassifiedTaxCategory/TaxScheme: 604 Name, 605 TaxTypeCode, 606 CurrencyCode, 607 JurisdictionRegionAddress
LINE/Item/AdditionalItemProperty: 608 ID, 609 NameCode, 610 TestMethod, 611 ValueQuantity, 612 ValueQualifier,
  613 ImportanceCode, 614 ListValue, 615 UsabilityPeriod, 616 ItemPropertyGroup, 617 RangeDimension,
  618 ItemPropertyRange
LINE/Price: 625 PriceChangeReason, 626 PriceTypeCode, 627 PriceType, 628 OrderableUnitFactorRate,
  644 PricingExchangeRate
LINE/Price/AllowanceCharge: 632 ID, 633 AllowanceChargeReasonCode, 634 AllowanceChargeReason,
  635 MultiplierFactorNumeric, 636 PrepaidIndicator, 637 SequenceNumeric, 638 AccountingCostCode, 639 AccountingCost,
  640 PerUnitAmount, 641 TaxCategory, 642 TaxTotal, 643 PaymentMeans
CustomizationID: 648 @schemeID
ProfileID: 649 @schemeID
ID: 650 @schemeID
SalesOrderID: 651 @schemeID
//PartyTaxScheme/CompanyID: 652 @schemeID
PaymentMeans/PaymentID: 653 @schemeID
PaymentMeans/PayeeFinancialAccount/ID: 654 @schemeID
PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/ID: 655 @schemeID
InvoiceTypeCode: 656 @listID
DocumentCurrencyCode: 657 @listID
TaxCurrencyCode: 658 @listID
AdditionalDocumentReference/DocumentTypeCode: 659 @listID
//Country/IdentificationCode: 660 @listID
PaymentMeans/PaymentMeansCode: 661 @listID
//AllowanceChargeReasonCode: 662 @listID
//: 663 @unitCodeListID, 664 FinancialInstitution, DT-08 @schemeName, DT-09 @schemeAgencyName, DT-10 @schemeDataURI,
  DT-11 @schemeURI, DT-12 @format, DT-13 @unitCodeListIdentifier, DT-14 @unitCodeListAgencyIdentifier,
  DT-15 @unitCodeListAgencyName, DT-16 @listAgencyName, DT-17 @listName, DT-19 @languageID, DT-20 @listURI,
  DT-21 @listSchemeURI, DT-22 @languageLocaleID, DT-23 @uri, DT-24 @currencyCodeListVersionID,
  DT-25 @characterSetCode, DT-26 @encodingCode, DT-27 @schemeAgencyID, DT-28 @listAgencyID
//BuyersItemIdentification/ID: 667 @schemeID
//SellersItemIdentification/ID: 668 @schemeID
//Price/AllowanceCharge: 669 AllowanceChargeReasonCode, 670 AllowanceChargeReason, 671 MultiplierFactorNumeric
CreditNoteTypeCode: 672 @listID
//PrimaryAccountNumberID: 674 @schemeID
//CardAccount/NetworkID: 675 @schemeID
//PaymentMandate/ID: 676 @schemeID
//PaymentMandate/PayerFinancialAccount/ID: 677 @schemeID
//TaxCategory/ID: 678 @schemeID
//ClassifiedTaxCategory/ID: 679 @schemeID
//PaymentMeans: 680 PayerFinancialAccount
`;
